import contend from '../../scenarios/contend.ts';
import killAnywhere from '../../scenarios/kill-anywhere.ts';
import { defineCampaign } from '../../src/campaign/define.ts';
import { allInvariants } from '../../src/invariants/all.ts';
import { runLock } from '../run-directory/lock.ts';
import { readRun } from './read.ts';

const LOCK = 'src/campaign-run/run-lock.ts';

/** The harness under its own medicine. What it does to its run directory, operation by operation, is the campaign run-directory's. */
export default defineCampaign({
  name: 'self',
  title: 'This harness runs a campaign, is killed, and goes on with it in the same run directory.',
  kernel: {
    directory: '../..',
    files: ['package.json', 'src', 'scenarios', 'campaigns/self'],
    command: ['node', '{kernel}/campaigns/self/harness.ts', '{state}'],
    env: { SELF_STATE: '{state}' },
  },
  subjects: [
    { name: 'runs-live', env: { SELF_DRIVER: 'live' } },
    { name: 'runs-sim', env: { SELF_DRIVER: 'sim' } },
  ],
  lock: runLock,
  read: readRun,
  scenarios: [killAnywhere, contend],
  variants: [
    {
      name: 'without-run-lock',
      edit: [
        { file: LOCK, from: 'const seen = { number, claim, takeable: false };', to: 'const seen = { number, claim, takeable: true };' },
        { file: LOCK, from: 'if (!isMine()) throw new RunLostError(runDirectory, token);', to: '' },
        {
          file: 'src/campaign-run/run-store.ts',
          from: 'trials = await replace(TRIALS, (file) => copy(before, file, whole.bytes));',
          to: "trials = await open(path(TRIALS), 'a');",
        },
      ],
      expect: { breaks: ['no-duplicate-events'] },
      scenarios: ['contend'],
      trials: 1,
    },
    {
      // What has left its group, its session and its parent is found by a tag in its environment, by its control group, or when its harness is dead.
      name: 'without-orphan-sweep',
      edit: [
        {
          file: 'src/driver/live/processes.ts',
          from: 'return environment !== null && tags.some((tag) => environment.includes(tag));',
          to: 'return environment !== null && tags.length < 0;',
        },
        { file: 'src/driver/live/cgroup.ts', from: 'return home === null ? null : join(home, name);', to: 'return null;' },
        { file: 'src/driver/live/live-world.ts', from: 'await ensureReaper();', to: '' },
      ],
      expect: { breaks: ['no-debris'] },
      scenarios: ['kill-anywhere'],
      trials: 1,
    },
  ],
  invariants: allInvariants,
  seeds: '1-10',
  robbed_reason: 'lock-stolen-mid-run',
  allowed_reasons: ['the run directory is held'],
  timing: { live: { ttl_ms: 30_000, recovers_within_ms: 60_000, deadline_ms: 240_000 } },
});
