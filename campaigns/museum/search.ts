import type { DriverName } from '../../src/campaign/campaign.ts';
import { CampaignError } from '../../src/campaign/campaign-error.ts';
import type { LoadedCampaign } from '../../src/campaign/load.ts';
import { withBench } from '../../src/campaign-run/bench.ts';
import type { TrialRecord, Violation } from '../../src/history/record.ts';
import { isDefect } from '../../src/judge/findings.ts';
import { explore } from '../../src/search/explorer.ts';
import type { Broken } from './answers.ts';
import type { MuseumCase, Search } from './case.ts';

/** Changes of a sampled schedule, and how deep the others go beyond what there is at depth 1. */
const DEPTH = 2;
/** A base seed has so many seeds of its own. */
const SEEDS_EACH = 10_000;

export function driverOf(search: Search): DriverName {
  return search.by === 'random' ? (search.driver ?? 'sim') : 'sim';
}

/** `random pause-while-acquiring`, `crashes`. */
export function strategyOf(search: Search): string {
  return [driverOf(search) === 'live' ? 'live' : '', search.by, search.by === 'crashes' ? '' : search.scenario].filter(Boolean).join(' ');
}

/** Runs at most `most` trials of a search, one after the other, until there are no more or the signal is aborted. */
export async function searchIn(
  campaign: LoadedCampaign,
  subject: string,
  { search, seed, most, signal }: { search: Search; seed: number; most: number; signal: AbortSignal },
  onTrial: (record: TrialRecord) => void,
): Promise<void> {
  if (search.by === 'random') {
    await withBench({ campaign, driver: driverOf(search), variants: [] }, async (bench) => {
      requireHeld(bench.golden.record);
      for (let i = 0; i < most && !signal.aborted; i++) {
        const about = { subject, variant: null, scenario: search.scenario, seed: seed * SEEDS_EACH + i };
        onTrial((await bench.run(about, bench.planOf(about))).record);
      }
    });
    return;
  }
  const { findings } = await explore({
    campaign,
    target: campaign.file,
    search: search.by,
    subject,
    variant: null,
    scenario: search.by === 'crashes' ? null : search.scenario,
    seed,
    crash: 'kill',
    depth: DEPTH,
    budget: most,
    workers: 1,
    signal,
    onTrial: ({ record }) => onTrial(record),
  });
  const undisturbed = findings.find(({ plan }) => plan === 'no faults');
  if (undisturbed) throw brokenAlone(subject, undisturbed);
}

/** What breaks without any fault is no catch. */
function requireHeld({ subject, violations }: TrialRecord): void {
  const [violation] = violations;
  if (violation) throw brokenAlone(subject, violation);
}

function brokenAlone(subject: string, { invariant, message }: Pick<Violation, 'invariant' | 'message'>): CampaignError {
  return new CampaignError({
    problem: `${subject} breaks ${invariant} without any fault: ${message}`,
    remedy: 'Correct the kernel, the reader or the lock adapter: what a fault brings about must not be there without it.',
  });
}

/** What of a trial is the bug. */
export function bugIn(record: TrialRecord, { bug }: Pick<MuseumCase, 'bug'>): Violation | undefined {
  return record.violations.find((violation) => isBug(record, violation, { bug }));
}

export function isBug(record: TrialRecord, violation: Violation, { bug }: Pick<MuseumCase, 'bug'>): boolean {
  return bug.some((one) => isDefect(one, record, violation));
}

export function brokenBy({ scenario, seed, plan, landed }: TrialRecord, { invariant, site, message }: Violation): Broken {
  return { invariant, site: site ?? null, message, scenario, seed, plan, steps: landed.length };
}
