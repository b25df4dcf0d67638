import type { DriverName } from '../campaign/campaign.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import { type Bench, withBench } from '../campaign-run/bench.ts';
import type { Finding } from '../judge/findings.ts';
import { fingerprintOf } from '../judge/fingerprint.ts';
import type { ShrunkFinding } from '../judge/run-summary.ts';
import { parsePlan } from '../plan/parse.ts';
import { story } from '../report/timeline/story.ts';
import { shrink } from '../search/shrink.ts';

/** For one trial under the real clock, which may break only now and then. */
export const LIVE_REPETITIONS = 5;
/** So many smaller plans are run for each finding, and so many findings are made smaller: those that stand first. */
const BUDGET = 100;
const FINDINGS_MAX = 10;

/** Makes the smallest example of each finding smaller, on one bench. One that does not break again is left out. */
export function shrinkFindings(
  findings: Finding[],
  { campaign, driver, workers, signal }: { campaign: LoadedCampaign; driver: DriverName; workers: number; signal: AbortSignal },
): Promise<ShrunkFinding[]> {
  const chosen = findings.slice(0, FINDINGS_MAX);
  if (chosen.length === 0) return Promise.resolve([]);
  const variants = chosen.flatMap(({ variant }) => variant ?? []);
  return withBench({ campaign, driver, variants }, (bench) => shrinkOn(bench, chosen, { workers, signal }));
}

/** The same, on a bench that is there already. */
export async function shrinkOn(
  bench: Bench,
  findings: Finding[],
  { workers, signal, budget = BUDGET }: { workers: number; signal: AbortSignal; budget?: number },
): Promise<ShrunkFinding[]> {
  const shrunk: ShrunkFinding[] = [];
  for (const { fingerprint, subject, variant, scenario, seed, plan } of findings) {
    if (signal.aborted) break;
    const found = await shrink(bench, { subject, variant, scenario, seed }, parsePlan(plan), {
      isMeant: (violation) => fingerprintOf(violation) === fingerprint,
      budget,
      repetitions: bench.driver === 'live' ? LIVE_REPETITIONS : 1,
      workers,
      signal,
    });
    if (!found) continue;
    const violations = found.trial.record.violations.filter((violation) => fingerprintOf(violation) === fingerprint);
    shrunk.push({
      fingerprint,
      subject,
      variant,
      scenario,
      seed,
      plan: found.after.plan,
      steps: found.after.steps,
      message: violations[0]?.message ?? '',
      from: plan,
      tried: found.tried,
      minimal: found.minimal,
      story: story(found.trial.history, violations),
    });
  }
  return shrunk;
}
