import type { CensoredTime } from './restricted-mean.ts';

/** A step of a rising curve: from this time on, so much. */
export interface Step {
  time: number;
  share: number;
}

/**
 * The share that is over by each time: 1 minus the Kaplan–Meier estimate. It is the empirical distribution function when nothing is censored.
 * Ascending in time, a step for each time at which something was observed; it stays below 1 when the longest time was censored.
 */
export function recoveredShare(sample: readonly CensoredTime[]): Step[] {
  const byTime = sample.toSorted((a, b) => a.time - b.time);
  const steps: Step[] = [];
  let remaining = 1;
  for (let from = 0; from < byTime.length; ) {
    const { time } = byTime[from] as CensoredTime;
    let [to, observed] = [from, 0];
    for (; byTime[to]?.time === time; to += 1) if (byTime[to]?.observed) observed += 1;
    remaining *= 1 - observed / (byTime.length - from);
    if (observed > 0) steps.push({ time, share: 1 - remaining });
    from = to;
  }
  return steps;
}
