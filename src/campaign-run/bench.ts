import type { DriverName } from '../campaign/campaign.ts';
import { subjectsOf, trialKey } from '../campaign/expand.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import { noFaults } from '../plan/no-faults.ts';
import type { Plan } from '../plan/plan.ts';
import { measureOf, planOf, referenceOf, runGolden } from './golden-run.ts';
import { type JudgedTrial, runAndJudge } from './run-trial.ts';
import { withSetup } from './set-up.ts';

/** One trial of a campaign, by names that the campaign has. */
export interface TrialAbout {
  subject: string;
  variant: string | null;
  /** One of the campaign's, or `no-faults`. */
  scenario: string;
  seed: number;
}

/** Where trials are run by themselves, one after the other or several at once. Nothing of them is kept. */
export interface Bench {
  driver: DriverName;
  /** The fault-free run of the first subject. That it held is not checked here. */
  golden: JudgedTrial;
  /** As the seed draws it. */
  planOf(about: TrialAbout): Plan;
  run(about: TrialAbout, plan: Plan): Promise<JudgedTrial>;
}

/** Makes the kernel's copies and the golden run once, for as many trials as `work` wants. `variants` are those that will be asked for. */
export function withBench<T>(
  options: { campaign: LoadedCampaign; driver: DriverName; probe?: boolean | undefined; variants: string[] },
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  const { campaign } = options.campaign;
  const variants = (campaign.variants ?? []).filter(({ name }) => options.variants.includes(name));
  return withSetup({ ...options, variants, keep: 'none' }, async (setup) => {
    const goldenTrial = await runGolden(setup, referenceOf(setup));
    const golden = await measureOf(setup, goldenTrial);
    const keyOf = (about: TrialAbout) => {
      const scenario = [noFaults, ...campaign.scenarios].find(({ name }) => name === about.scenario) ?? noFaults;
      const subject = subjectsOf(campaign).find(({ name }) => name === about.subject) ?? referenceOf(setup);
      return trialKey(campaign, scenario, subject, variants.find(({ name }) => name === about.variant) ?? null, about.seed);
    };
    return work({
      driver: options.driver,
      golden: goldenTrial,
      planOf: (about) => planOf(campaign, keyOf(about), golden),
      run: (about, plan) => runAndJudge(setup, keyOf(about), plan, golden),
    });
  });
}
