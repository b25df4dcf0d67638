import type { Expectation, Variant } from '../campaign/campaign.ts';
import { isAtLarge } from '../history/fault-action.ts';
import type { TrialRecord } from '../history/record.ts';
import { hadEffect } from './landed.ts';

/** How a negative control fared, over all trials of its variant. */
export interface ControlResult {
  variant: string;
  /** The expectation in words: `breaks no-write-after-theft and no-duplicate-events`. */
  expected: string;
  /** Whether the expectation was met. */
  met: boolean;
  /** In how many trials it was caught as expected; of several invariants that must all break, the one that broke least often. */
  caught: number;
  trials: number;
  void: number;
  /** Caught out of the trials that are not void, or were caught; null when there are none. */
  detectionRate: number | null;
  /** How many trials it took, in order of id, until the expectation was met. */
  firstCatch: number | null;
  firstCatchSeed: number | null;
}

/** Judges every variant that has an expectation. A crash, a timeout or a syntax error breaks no invariant that is named, and so is no catch. */
export function judgeControls(variants: Pick<Variant, 'name' | 'expect'>[], records: TrialRecord[]): ControlResult[] {
  return variants.flatMap(({ name, expect }) => {
    if (!expect) return [];
    const trials = records.filter(({ variant }) => variant === name).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return judgeControl(name, expect, trials);
  });
}

function judgeControl(variant: string, expect: Expectation, trials: TrialRecord[]): ControlResult {
  // What each of these sees in the trials must be seen at least once.
  const signs = signsOf(expect).map((isSeen) => trials.map(isSeen));
  const first = Math.max(...signs.map((seen) => (seen.includes(true) ? seen.indexOf(true) : Infinity)));
  const caught = Math.min(...signs.map((seen) => seen.filter(Boolean).length));
  const counted = trials.filter(({ verdict }, i) => verdict !== 'void' || signs.some((seen) => seen[i])).length;
  return {
    variant,
    expected: wording(expect),
    met: caught > 0,
    caught,
    trials: trials.length,
    void: trials.filter(({ verdict }) => verdict === 'void').length,
    detectionRate: counted === 0 ? null : caught / counted,
    firstCatch: Number.isFinite(first) ? first + 1 : null,
    firstCatchSeed: trials[first]?.seed ?? null,
  };
}

function signsOf(expect: Expectation): ((record: TrialRecord) => boolean)[] {
  const breaks = (names: string[]) => (record: TrialRecord) => record.violations.some(({ invariant }) => names.includes(invariant));
  if ('dies' in expect) return [(record) => diesUnprovoked(record, expect.dies)];
  if ('breaksAny' in expect) return [breaks(expect.breaksAny)];
  return expect.breaks.map((name) => breaks([name]));
}

/**
 * A session to which no fault was done dies with the reason. A fault on the lock may have robbed anybody, so a trial that has one proves nothing. Being made to wait
 * is a fault too: a session that is not scheduled can't renew.
 */
function diesUnprovoked({ ends, landed }: TrialRecord, reason: string): boolean {
  const effective = landed.filter(hadEffect);
  if (effective.some(({ fault }) => isAtLarge(fault))) return false;
  const struck = new Set(effective.map(({ session }) => session));
  return ends.some((end) => end.reason === reason && end.code !== null && end.code !== 0 && !struck.has(end.session));
}

function wording(expect: Expectation): string {
  if ('dies' in expect) return `dies with ${expect.dies}`;
  return 'breaks' in expect ? `breaks ${expect.breaks.join(' and ')}` : `breaks ${expect.breaksAny.join(' or ')}`;
}
