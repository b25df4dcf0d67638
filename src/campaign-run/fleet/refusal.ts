import type { Campaign, Subject } from '../../campaign/campaign.ts';
import { subjectsOf } from '../../campaign/expand.ts';
import type { Golden, Scenario } from '../../plan/scenario.ts';
import { runGolden } from '../golden-run.ts';
import { identityOf, plansOf } from '../identity.ts';
import { differenceOf, type RunIdentity } from '../request.ts';
import type { Setup } from '../run-trial.ts';
import type { Posting } from './posting.ts';

/** Why a worker with this campaign can take no trials of a run, as far as that can be told before anything is made. Null: it may. */
export function refusalBefore(posting: Posting, campaign: Campaign, versions: Pick<RunIdentity, 'crash-campaign' | 'node'>): string | null {
  // First of all, because what another version means by the rest is not known.
  const difference = differenceOf(posting.identity, { ...posting.identity, ...versions });
  if (difference) return told(difference);
  const { request } = posting;
  const lacks = (what: string, names: string[], there: { name: string }[]) => {
    const missing = names.find((name) => there.every((item) => item.name !== name));
    return missing === undefined ? null : `its campaign ${campaign.name} has no ${what} ${missing}`;
  };
  return (
    lacks('subject', request.subjects, subjectsOf(campaign)) ??
    lacks('scenario', request.scenarios, campaign.scenarios) ??
    lacks('variant', request.variants, campaign.variants ?? []) ??
    (campaign.timing[request.driver] ? null : `its campaign ${campaign.name} has no timing for ${request.driver}`)
  );
}

/** The same, with the kernels made. Under sim the golden runs are run here too, and must have the histories that they have in the run. */
export async function refusalOf(
  posting: Posting,
  golden: Golden,
  setup: Setup,
  { scenarios, seeds }: { scenarios: Scenario[]; seeds: number[] },
): Promise<string | null> {
  const { campaign } = setup;
  const { request, identity } = posting;
  const here = await identityOf(setup, { whole: { trials: null, digest: identity.trials } });
  const difference = differenceOf(identity, { ...here, plans: plansOf(campaign, scenarios, seeds, golden) });
  if (difference) return told(difference);
  if (request.driver === 'live') return null;
  for (const { subject, digest, nondeterministic } of posting.goldenRuns) {
    const { record } = await runGolden(setup, subjectsOf(campaign).find(({ name }) => name === subject) as Subject);
    if (record.digest !== digest && nondeterministic.length === 0 && record.nondeterministic.length === 0)
      return `the golden run of ${subject} has another history there`;
  }
  return null;
}

const told = ({ problem, was, is }: { problem: string; was: string; is: string }) =>
  `${problem} (the run has ${was}, and the worker ${is})`;
