import fc from 'fast-check';
import { parsePlan } from '../../src/plan/parse.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Scenario } from '../../src/plan/scenario.ts';

/*
 * The locks have nothing in common but their path: each takes its own operations to make, keep and release it. So faults are placed by what all of them share: the
 * path, the lock's changes, the ledger's events, and time.
 */

/** One of these plans, as printed. */
const oneOf =
  (...plans: string[]) =>
  () =>
    fc.constantFrom(...plans.map((text): Plan => parsePlan(text)));

const EVENTS = [1, 2, 3];

const killWhileMaking: Scenario = {
  name: 'kill-while-making',
  title: 'The session is killed at its first or second operation on the lock, before or after it.',
  drivers: ['sim'],
  draw: oneOf(...[1, 2].flatMap((n) => [`s1@op(ledger.lock)#${n}:kill`, `s1@op(ledger.lock)#${n}+:kill`])),
};

const killWhileHolding: Scenario = {
  name: 'kill-while-holding',
  title: 'The session is killed while it holds the lock, and leaves it behind.',
  aims: ['holding'],
  draw: oneOf('s1@acquired#1:kill', ...EVENTS.map((n) => `s1@event#${n}:kill`)),
};

const contend: Scenario = {
  name: 'contend',
  title: 'Three sessions want the lock, the one that holds it is killed, and the others race for what it left behind.',
  drivers: ['sim'],
  aims: ['holding'],
  draw: oneOf(
    ...EVENTS.flatMap((n) =>
      ['', '  s1@op#1:yield=s2', '  s1@op#1:yield=s3', '  s2@op#1:yield=s3'].map((order) => `cast=3  holder@event#${n}:kill${order}`),
    ),
  ),
};

const pauseWhileHolding: Scenario = {
  name: 'pause-while-holding',
  title: 'The holder stands still for one and a half leases, a rival comes meanwhile, and the holder wakes up.',
  aims: ['holding'],
  draw: oneOf(...EVENTS.map((n) => `s1@event#${n}:pause=45s  t=+5s:rival`)),
};

const pausePastLease: Scenario = {
  name: 'pause-past-lease',
  title: 'The holder is paused past its lease, a rival takes over, and the holder wakes up while the rival works.',
  aims: ['holding'],
  draw: oneOf(
    ...EVENTS.flatMap((n) =>
      ['s2@acquired#1', 's2@event#1', 's2@event#2'].map((until) => `s1@event#${n}:pause=until:${until}  t=+5s:rival`),
    ),
  ),
};

/** Nothing tells these two apart but the call by which a lock removes what a dead one left. */
const lateRemoval = (call: 'rmdir' | 'unlink'): Scenario => ({
  name: `late-${call}`,
  title: `A session that is about to remove a dead one’s lock (${call}) sleeps until another has made its own.`,
  drivers: ['sim'],
  draw: oneOf(
    ...EVENTS.flatMap((n) =>
      ['s3@acquired#1', 's3@event#1'].map((until) => `s1@event#${n}:kill  s2@${call}(ledger.lock)#1:pause=until:${until}  t=+1s:rival`),
    ),
  ),
});

const pidReuse: Scenario = {
  name: 'pid-reuse',
  title: 'The holder is killed, and its successor gets its pid, as the first process of a container does.',
  drivers: ['sim'],
  aims: ['holding'],
  draw: oneOf(...EVENTS.map((n) => `s1@event#${n}:kill  s1@end:reuse-pid`)),
};

const clockJump: Scenario = {
  name: 'clock-jump',
  title: 'While a rival waits for the lock, the clock of their host is put forward by more than a lease.',
  drivers: ['sim'],
  aims: ['holding'],
  draw: oneOf(...EVENTS.map((n) => `cast=2  holder@event#${n}:jump=+45s`)),
};

const powerCut: Scenario = {
  name: 'power-cut',
  title: 'The power of the host fails while the lock is held, and what was not synced may be lost.',
  drivers: ['sim'],
  aims: ['holding'],
  draw: oneOf('s1@acquired#1:power-cut', ...EVENTS.map((n) => `s1@event#${n}:power-cut`)),
};

export const lateRmdir = lateRemoval('rmdir');
export const lateUnlink = lateRemoval('unlink');
export const scenarios = [
  killWhileMaking,
  killWhileHolding,
  contend,
  pauseWhileHolding,
  pausePastLease,
  lateRmdir,
  lateUnlink,
  pidReuse,
  clockJump,
  powerCut,
];
