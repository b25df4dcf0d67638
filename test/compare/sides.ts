import type { Outcome } from '../../src/compare/outcome.ts';
import { outcomeOf } from '../../src/compare/outcome.ts';
import type { Side } from '../../src/compare/pair.ts';
import type { ComparedRun } from '../../src/compare/read-run.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import { stream } from '../../src/random/stream.ts';
import { kill, record } from '../fixtures/records.ts';

/** How the trials of a side recover. Whether a kill leaves the lock behind is drawn from the seed, so that it is the same on both sides. */
export interface Behaviour {
  /** Of recoveries that wait for no lease. */
  fast_ms?: number;
  lease_ms?: number;
  /** The share of kills that leave the lock behind. */
  leftShare?: number;
  /** Every so many seeds one never recovers. */
  neverEvery?: number;
  /** Times of another side of the same plan differ by this share of themselves. */
  noise?: number;
  /** Names the noise. */
  name?: string;
}

export const DEADLINE_MS = 300_000;

/** What a trial of that seed gives. Everything but the noise is the same for all behaviours with the same figures. */
export function trialOf(
  seed: number,
  { fast_ms = 400, lease_ms = 30_000, leftShare = 0.3, neverEvery = 0, noise = 0, name = '' }: Behaviour,
  over: Partial<TrialRecord> = {},
): TrialRecord {
  const { next } = stream('synthetic', seed);
  const [left, spread, wait] = [next() < leftShare, next(), next()];
  const never = neverEvery > 0 && seed % neverEvery === 0;
  const factor = 1 + noise * (stream('noise', name, seed).next() - 0.5);
  const recovery_ms = (left ? lease_ms + 1100 * wait : fast_ms * (0.7 + 0.6 * spread)) * factor;
  return record(seed, {
    kills: [kill(never ? null : Math.round(recovery_ms * 1000) / 1000, left)],
    deadline_ms: DEADLINE_MS,
    operations_by_kind: { open: 60, fsync: 40 },
    acquisitions: 2,
    duration_ms: never ? DEADLINE_MS : recovery_ms + 3000,
    ...over,
  });
}

export function side(subject: string, records: TrialRecord[], run: Partial<ComparedRun> = {}): Side {
  const outcomes: Outcome[] = records.map(outcomeOf);
  const facts = { campaign: 'c', driver: 'sim', target: 'c', defaultDriver: 'sim', finished: true, torn: false } as const;
  return { subject, outcomes, run: { ...facts, directory: `runs/${subject}`, subjects: new Map([[subject, outcomes]]), ...run } };
}

export function sideOf(subject: string, behaviour: Behaviour, n = 200, run: Partial<ComparedRun> = {}): Side {
  return side(
    subject,
    Array.from({ length: n }, (_, i) => trialOf(1000 + i, behaviour)),
    run,
  );
}
