import type { TrialRecord } from '../history/record.ts';

/** The worst of some verdicts: broken before void before held. */
export function worst(verdicts: TrialRecord['verdict'][]): TrialRecord['verdict'] {
  return verdicts.includes('broken') ? 'broken' : verdicts.includes('void') ? 'void' : 'held';
}

/** DESIGN 4.6. `digests` has one entry for each repetition, in order. */
export interface ReplaySummary {
  schema: 'crash-campaign/replay@1';
  reproduced: number;
  of: number;
  digests: string[];
  verdict: TrialRecord['verdict'];
  exitCode: number;
  /** Of the first repetition that reproduced, else of the first. */
  trial: TrialRecord;
}
