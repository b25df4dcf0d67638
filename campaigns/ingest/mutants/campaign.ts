import damageLock from '../../../scenarios/damage-lock.ts';
import failingDisk from '../../../scenarios/failing-disk.ts';
import killDuringTakeover from '../../../scenarios/kill-during-takeover.ts';
import powerCut from '../../../scenarios/power-cut.ts';
import powerCutAfterKill from '../../../scenarios/power-cut-after-kill.ts';
import raceForTheLock from '../../../scenarios/race-for-the-lock.ts';
import stallDuringTakeover from '../../../scenarios/stall-during-takeover.ts';
import stealAtRelease from '../../../scenarios/steal-at-release.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import { allInvariants } from '../../../src/invariants/all.ts';
import ingest from '../campaign.ts';
import { variants } from '../mutants.ts';
import { transcriptIsComplete } from '../transcript-is-complete.ts';

const WINDOWS = 2;
const { sim } = ingest.timing;

export default defineCampaign({
  ...ingest,
  name: 'mutants',
  title: 'Each mutant of the ingest kernel and its lock has one thing changed in it, and must be caught.',
  kernel: {
    ...ingest.kernel,
    directory: '..',
    // Two windows are enough to go on from one to the next, and make a trial cheaper. Each takes longer than a lease, so that no renewal but the timer's can do for both.
    env: { ...ingest.kernel.env, INGEST_WINDOWS: String(WINDOWS), INGEST_PACE_MS: String(Math.ceil((sim?.ttl_ms ?? 0) / 7)) },
  },
  scenarios: [
    ...ingest.scenarios,
    raceForTheLock,
    stallDuringTakeover,
    stealAtRelease,
    killDuringTakeover,
    powerCut,
    powerCutAfterKill,
    failingDisk,
    damageLock,
  ],
  invariants: [...allInvariants, transcriptIsComplete(WINDOWS)],
  timing: { sim },
  variants,
});
