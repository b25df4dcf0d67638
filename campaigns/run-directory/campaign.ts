import contend from '../../scenarios/contend.ts';
import killAnywhere from '../../scenarios/kill-anywhere.ts';
import killDuringTakeover from '../../scenarios/kill-during-takeover.ts';
import killWhileHolding from '../../scenarios/kill-while-holding.ts';
import powerCut from '../../scenarios/power-cut.ts';
import stealLock from '../../scenarios/steal-lock.ts';
import takeoverAfterExpiry from '../../scenarios/takeover-after-expiry.ts';
import { defineCampaign } from '../../src/campaign/define.ts';
import { allInvariants } from '../../src/invariants/all.ts';
import { runLock } from './lock.ts';
import pauseInAppend from './pause-in-append.ts';
import powerCutInAppend from './power-cut-in-append.ts';
import { readRunDirectory } from './read.ts';

const STORE = 'src/campaign-run/run-store.ts';
const LOCK = 'src/campaign-run/run-lock.ts';

const WITHOUT_CHECK = [{ file: LOCK, from: 'if (!isMine()) throw new RunLostError(runDirectory, token);', to: '' }];

export default defineCampaign({
  name: 'run-directory',
  title: 'Harnesses append the records of a run to one run directory, under its lock.',
  kernel: {
    directory: '../..',
    files: ['package.json', 'src/campaign-run', 'src/driver', 'src/history', 'campaigns/run-directory'],
    command: ['node', '{kernel}/campaigns/run-directory/kernel.ts', '{state}'],
    env: { RUN_TTL_MS: '{ttl_ms}' },
  },
  lock: runLock,
  read: readRunDirectory,
  scenarios: [
    killAnywhere,
    killWhileHolding,
    powerCut,
    stealLock,
    takeoverAfterExpiry,
    killDuringTakeover,
    pauseInAppend,
    powerCutInAppend,
    contend,
  ],
  invariants: allInvariants,
  seeds: '1-30',
  robbed_reason: 'lock-stolen-mid-run',
  variants: [
    {
      // Everybody takes the directory over at once, and nobody finds out.
      name: 'without-run-lock',
      edit: [
        { file: LOCK, from: 'const seen = { number, claim, takeable: false };', to: 'const seen = { number, claim, takeable: true };' },
        ...WITHOUT_CHECK,
      ],
      expect: { breaks: ['no-lost-acks', 'one-holder-at-a-time'] },
      scenarios: ['contend'],
    },
    {
      name: 'without-token-check',
      edit: WITHOUT_CHECK,
      expect: { breaks: ['no-lost-acks', 'robbed-session-dies'] },
      scenarios: ['steal-lock', 'takeover-after-expiry'],
    },
    {
      // The check alone: a holder that is paused behind it goes on writing.
      name: 'without-new-inode',
      edit: [
        {
          file: STORE,
          from: 'trials = await replace(TRIALS, (file) => copy(before, file, whole.bytes));',
          to: "trials = await open(path(TRIALS), 'a');",
        },
      ],
      expect: { breaks: ['no-write-after-theft'] },
      scenarios: ['pause-in-append'],
      trials: 4,
    },
    {
      name: 'without-fsync',
      edit: [{ file: STORE, from: 'await fenced(() => trials.datasync());', to: '' }],
      expect: { breaks: ['no-lost-acks'] },
      scenarios: ['power-cut-in-append'],
    },
    {
      name: 'without-rename',
      edit: [
        {
          file: STORE,
          from: 'const temporary = path(`${name}.${lock.token}.tmp`);',
          to: 'const temporary = path(name); rmSync(temporary, { force: true });',
        },
      ],
      expect: { breaksAny: ['no-lost-acks', 'state-parses'] },
      scenarios: ['kill-while-holding', 'power-cut'],
    },
    {
      // Whoever can't be seen to be dead is waited for for ever.
      name: 'without-lease',
      edit: [{ file: LOCK, from: 'if (claim) return claim.expires_at_ms;', to: 'if (claim) return Infinity;' }],
      expect: { breaks: ['recovers-within'] },
      scenarios: ['power-cut-in-append'],
      trials: 1,
    },
  ],
  timing: { sim: { ttl_ms: 30_000, recovers_within_ms: 120_000, deadline_ms: 300_000 } },
});
