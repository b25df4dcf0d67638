import type { RunSummary } from '../judge/run-summary.ts';
import type { Survival } from '../judge/survival.ts';
import type { Takeover } from '../judge/takeover.ts';
import { duration } from './duration.ts';

/** Subjects × scenarios, before they have a form. */
export interface SurvivalGrid {
  scenarios: string[];
  subjects: {
    name: string;
    /** One for each scenario, in their order. */
    cells: Survival[];
    takeover: string;
  }[];
  /** Why a cell says nothing. */
  reasons: string[];
}

export const TAKEOVER = 'takeover / TTL';

/** What is to be known of a table of survival by who sees one first. */
export const ABOUT_SURVIVAL =
  'held: every invariant, in every trial. known: broken as the subject declares, in so many of its trials. n/a: the scenario says nothing of it. ' +
  'Takeover: from the kill of a holder until another held the lock, the median, and the lease.';

/** Null where there is nothing to be compared: of one subject the tallies say as much. */
export function survivalGrid({ survival = [], takeovers = [] }: RunSummary): SurvivalGrid | null {
  const bySubject = [...Map.groupBy(survival, ({ subject }) => subject)];
  if (bySubject.length < 2) return null;
  const silent = survival.filter(({ is }) => is === 'not-applicable');
  return {
    scenarios: [...new Set(survival.map(({ scenario }) => scenario))],
    subjects: bySubject.map(([name, cells]) => ({
      name,
      cells,
      takeover: takeoverText(takeovers.find(({ subject }) => subject === name)),
    })),
    reasons: [...Map.groupBy(silent, ({ subject, what: [why] }) => JSON.stringify([subject, why])).values()].map((cells) => {
      const [{ subject, what }] = cells as [Survival];
      return `${subject} in ${cells.map(({ scenario }) => scenario).join(', ')}: ${what[0]}`;
    }),
  };
}

/** How a subject came out of a scenario, in a word, and where it broke in how many of the trials. */
export function survivalText({ is, trials, broken }: Survival): string {
  switch (is) {
    case 'known':
    case 'broken':
      return `${is} ${broken}/${trials}`;
    case 'not-applicable':
      return 'n/a';
    default:
      return is;
  }
}

export function takeoverText(takeover: Takeover | undefined): string {
  if (!takeover || takeover.medianMs === null) return '–';
  return takeover.ttlMs === null ? duration(takeover.medianMs) : `${duration(takeover.medianMs)} / ${duration(takeover.ttlMs)}`;
}
