import { appliesTo } from '../campaign/expand.ts';
import type { TrialRecord } from '../history/record.ts';
import { sourceOf } from './findings.ts';
import type { RunFacts } from './run-summary.ts';
import { counted, tally } from './summary.ts';

/** How a subject came out of a scenario. */
export interface Survival {
  scenario: string;
  subject: string;
  /** `known`: broken, by known defects only. `void`: no trial said anything. */
  is: 'held' | 'known' | 'broken' | 'void' | 'not-applicable';
  /** Why it is not applicable; else the invariants that broke. */
  what: string[];
  /** Trials that say something, and how many of them broke. */
  trials: number;
  broken: number;
}

/** Subjects × scenarios. */
export function survivalOf(real: TrialRecord[], { scenarios, subjects }: Pick<RunFacts, 'scenarios' | 'subjects'>): Survival[] {
  const telling = counted(real);
  return scenarios.flatMap(({ name: scenario }) =>
    subjects.map((subject): Survival => {
      const about = { scenario, subject: subject.name };
      if (!appliesTo({ name: scenario }, subject))
        return { ...about, is: 'not-applicable', what: [subject.notApplicable?.[scenario] ?? ''], trials: 0, broken: 0 };
      const trials = telling.filter((record) => record.scenario === scenario && record.subject === subject.name);
      const broken = trials.flatMap((record) =>
        record.violations.map((violation) => ({ ...violation, known: sourceOf(record, violation, subjects) !== null })),
      );
      const what = [...new Set(broken.map(({ invariant }) => invariant))].toSorted();
      const counts = { trials: trials.length, broken: tally(trials).broken };
      if (broken.length > 0) return { ...about, is: broken.every(({ known }) => known) ? 'known' : 'broken', what, ...counts };
      return { ...about, is: trials.length > 0 ? 'held' : 'void', what, ...counts };
    }),
  );
}
