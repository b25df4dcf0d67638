import type { Campaign } from '../../src/campaign/campaign.ts';
import { lockOf, subjectsOf } from '../../src/campaign/expand.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import type { RunSummary } from '../../src/judge/run-summary.ts';
import type { Survival } from '../../src/judge/survival.ts';
import { type Takeover, takeoversOf } from '../../src/judge/takeover.ts';

/** A run of a campaign over one kind of lock or several. */
export interface RunOfLocks {
  summary: RunSummary;
  campaign: Campaign;
  records: TrialRecord[];
}

/** A lock, and how it came out of the scenarios of all campaigns that try it. */
export interface LockRow {
  lock: string;
  campaigns: string[];
  /** By scenario; what nobody tried is not there. */
  cells: Map<string, Survival>;
  /** In kill-while-holding, which means the same in all of them. */
  takeover: Takeover | undefined;
}

/** What a campaign calls by a name of its own, with reason: by the name that the others have for it. */
export const ALSO_CALLED: Record<string, Record<string, string>> = {
  'fence-lock': { 'killed-holder': 'kill-while-holding', 'kill-any-time': 'kill-anywhere' },
  ingest: { 'takeover-after-expiry': 'pause-past-lease' },
  'run-directory': { 'takeover-after-expiry': 'pause-past-lease' },
};

/** All locks of all runs, in the order of the runs. A lock that several campaigns try is one row. */
export function lockRows(runs: RunOfLocks[]): LockRow[] {
  const rows = new Map<string, LockRow>();
  for (const { summary, campaign, records } of runs) {
    const kills = records.filter(
      ({ variant, scenario }) => variant === null && commonName(scenario, campaign.name) === 'kill-while-holding',
    );
    const ttlMs = summary.takeovers?.[0]?.ttlMs ?? undefined;
    const takeovers = takeoversOf(kills, { subjects: subjectsOf(campaign), ...(ttlMs !== undefined && { ttlMs }) });
    for (const cell of summary.survival ?? []) {
      const lock = nameOf(cell.subject, campaign);
      const takeover = takeovers.find(({ subject }) => subject === cell.subject);
      const row: LockRow = rows.get(lock) ?? { lock, campaigns: [], cells: new Map(), takeover };
      rows.set(lock, row);
      if (!row.campaigns.includes(campaign.name)) row.campaigns.push(campaign.name);
      const scenario = commonName(cell.scenario, campaign.name);
      const before = row.cells.get(scenario);
      row.cells.set(scenario, before ? together(before, cell) : cell);
    }
  }
  return [...rows.values()];
}

/** The scenarios that more than one of the runs has, in the order in which they come. */
export function sharedScenarios(runs: RunOfLocks[]): string[] {
  const names = runs.map(({ campaign }) => new Set(campaign.scenarios.map(({ name }) => commonName(name, campaign.name))));
  return [...new Set(names.flatMap((own) => [...own]))].filter((name) => names.filter((own) => own.has(name)).length > 1);
}

export function commonName(scenario: string, campaign: string): string {
  return ALSO_CALLED[campaign]?.[scenario] ?? scenario;
}

/** A campaign over one lock names its subject like itself. */
function nameOf(subject: string, campaign: Campaign): string {
  return subject === campaign.name ? lockOf(campaign, subject).kind : subject;
}

const BY_GRAVITY: Survival['is'][] = ['broken', 'known', 'held', 'void', 'not-applicable'];

/** What broke in one campaign broke, whatever held in the other. */
function together(one: Survival, other: Survival): Survival {
  const [gravest] = [one, other].toSorted((a, b) => BY_GRAVITY.indexOf(a.is) - BY_GRAVITY.indexOf(b.is)) as [Survival];
  return {
    ...gravest,
    what: one.is === other.is ? [...new Set([...one.what, ...other.what])] : gravest.what,
    trials: one.trials + other.trials,
    broken: one.broken + other.broken,
  };
}
