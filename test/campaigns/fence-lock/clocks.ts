import type { TrialRecord } from '../../../src/history/record.ts';

/** One plan against one lock, on either clock: how long after the kill another had the lock. */
export interface Pair {
  scenario: string;
  subject: string;
  seed: number;
  /** Whether the kill left the lock behind. */
  left: { virtual: boolean; real: boolean };
  virtual_ms: number;
  real_ms: number;
}

/** What the real clock adds to a time: this share of it, and what a process takes to come up. */
const SHARE = 0.05;

/** Trials of the same plan in both runs, in the order of the virtual one. What is void on either clock says nothing. */
export function pairsOf(virtual: TrialRecord[], real: TrialRecord[]): Pair[] {
  return virtual.flatMap((one) => {
    const other = real.find((record) => record.id === one.id && record.plan === one.plan);
    const [before, after] = [takeoverOf(one), other && takeoverOf(other)];
    if (!before || !after) return [];
    const { scenario, subject, seed } = one;
    return [
      {
        scenario,
        subject,
        seed,
        left: { virtual: before.left, real: after.left },
        virtual_ms: before.takeover_ms,
        real_ms: after.takeover_ms,
      },
    ];
  });
}

function takeoverOf({ verdict, variant, kills: [kill] }: TrialRecord): { left: boolean; takeover_ms: number } | null {
  if (verdict === 'void' || variant !== null || !kill || kill.takeover_ms === null) return null;
  return { left: kill.left_lock_behind, takeover_ms: kill.takeover_ms };
}

/** Where nothing was left behind there is nothing to be taken over. A kill at a time of the clock may leave the lock behind on one clock and not on the other. */
export function isComparable({ left }: Pair): boolean {
  return left.virtual && left.real;
}

/** How far the times are apart, as a share of the virtual one. The start of a process makes real ones later, and never earlier. */
export function apart({ virtual_ms, real_ms }: Pair, start_ms: number): number {
  return (real_ms > virtual_ms ? Math.max(0, real_ms - virtual_ms - start_ms) : virtual_ms - real_ms) / virtual_ms;
}

export function agrees(pair: Pair, start_ms: number): boolean {
  return apart(pair, start_ms) <= SHARE;
}
