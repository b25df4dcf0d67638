import { replayCommand } from '../judge/findings.ts';
import { mechanismOf } from './mechanism.ts';
import type { Outcome } from './outcome.ts';
import type { Pair, Side } from './pair.ts';

/** Under sim a trial's recovery time is the same on every machine, so each seed can be held against itself. */
export interface SeedBySeed {
  same: number;
  slower: number;
  faster: number;
  /** Those that changed most, the greatest change first. */
  changedMost: ChangedSeed[];
}

export interface ChangedSeed {
  scenario: string;
  seed: number;
  plan: string;
  /** Null: never recovered. */
  baselineMs: number | null;
  contenderMs: number | null;
  /** A time that never ended is counted with the horizon. */
  changeMs: number;
  replay: { baseline: string; contender: string };
}

/** So many seeds are listed. */
const MOST = 5;

export function seedBySeed(pairs: Pair[], horizonMs: number, sides: { baseline: Side; contender: Side }): SeedBySeed {
  const time = (outcome: Outcome) => (mechanismOf(outcome, horizonMs) === 'never' ? null : outcome.recoveryMs);
  const changes = pairs.map(({ baseline, contender }) => {
    const [baselineMs, contenderMs] = [time(baseline), time(contender)];
    return { baseline, baselineMs, contenderMs, changeMs: micro((contenderMs ?? horizonMs) - (baselineMs ?? horizonMs)) };
  });
  const changed = changes.filter(({ changeMs }) => changeMs !== 0);
  const slower = changed.filter(({ changeMs }) => changeMs > 0).length;
  return {
    same: changes.length - changed.length,
    slower,
    faster: changed.length - slower,
    changedMost: changed
      .toSorted((a, b) => Math.abs(b.changeMs) - Math.abs(a.changeMs) || a.baseline.seed - b.baseline.seed)
      .slice(0, MOST)
      .map(({ baseline: { scenario, seed, plan }, ...times }) => {
        const replay = ({ subject, run }: Side) => replayCommand({ scenario, seed, subject, variant: null, driver: run.driver }, run);
        return {
          scenario,
          seed,
          plan,
          baselineMs: times.baselineMs,
          contenderMs: times.contenderMs,
          changeMs: times.changeMs,
          replay: { baseline: replay(sides.baseline), contender: replay(sides.contender) },
        };
      }),
  };
}

/** To microseconds, which is what entries are stamped with. */
function micro(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
