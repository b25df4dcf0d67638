/** A time until something; `observed` false: it was only seen to take longer. */
export interface CensoredTime {
  time: number;
  observed: boolean;
}

/**
 * The mean time up to a horizon, which is the area under the Kaplan–Meier curve, and its standard error by Greenwood's formula.
 * When everything was watched until the horizon it is the mean of min(time, horizon).
 *
 * Where the longest time was censored, what lies beyond it is not known: the horizon should not be greater than it.
 * @see Kaplan and Meier, "Nonparametric estimation from incomplete observations", Journal of the American Statistical Association 53 (1958), 457–481
 */
export function restrictedMean(sample: readonly CensoredTime[], horizon: number): { mean: number; error: number } {
  const byTime = sample.toSorted((a, b) => a.time - b.time);
  const steps: { area: number; greenwood: number }[] = [];
  let [surviving, last, area] = [1, 0, 0];
  for (let from = 0; from < byTime.length; ) {
    const { time } = byTime[from] as CensoredTime;
    if (time >= horizon) break;
    let [to, events] = [from, 0];
    for (; byTime[to]?.time === time; to += 1) if (byTime[to]?.observed) events += 1;
    area += surviving * (time - last);
    last = time;
    const atRisk = byTime.length - from;
    // When the last of all is observed, nothing lies behind it that could vary.
    if (events > 0 && events < atRisk) steps.push({ area, greenwood: events / atRisk / (atRisk - events) });
    surviving *= 1 - events / atRisk;
    from = to;
  }
  const mean = area + surviving * Math.max(0, horizon - last);
  const variance = steps.reduce((sum, step) => sum + (mean - step.area) ** 2 * step.greenwood, 0);
  return { mean, error: Math.sqrt(variance) };
}
