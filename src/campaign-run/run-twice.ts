import type { TrialKey } from '../campaign/expand.ts';
import { firstDifference } from '../history/difference.ts';
import type { TrialRecord } from '../history/record.ts';
import type { Plan } from '../plan/plan.ts';
import type { Golden } from '../plan/scenario.ts';
import { type JudgedTrial, runAndJudge, type Setup } from './run-trial.ts';

/** Runs a trial, and once more beside it to see whether it repeats; nothing is kept of the repetition but what it says in the record. */
export async function runTwice(setup: Setup, key: TrialKey, plan: Plan, golden: Golden | null): Promise<JudgedTrial> {
  const trial = await runAndJudge(setup, key, plan, golden);
  const again = await runAndJudge({ ...setup, keep: 'none' }, key, plan, golden);
  return { ...trial, record: { ...trial.record, repetition: repetitionOf(trial, again) } };
}

function repetitionOf(trial: JudgedTrial, again: JudgedTrial): NonNullable<TrialRecord['repetition']> {
  const repetition = repetitionIn(trial.record, again.record);
  if (repetition.is !== 'different') return repetition;
  const difference = firstDifference(trial.history, again.history);
  if (difference === null) throw new Error(`trial ${trial.record.id} has two digests for one history`);
  return { ...repetition, difference };
}

/** The same by the records alone: where the histories part is then unknown. */
export function repetitionIn(record: TrialRecord, again: TrialRecord): NonNullable<TrialRecord['repetition']> {
  const isControlled = [record, again].every(({ nondeterministic }) => nondeterministic.length === 0);
  if (!isControlled) return { is: 'uncontrolled' };
  return record.digest === again.digest ? { is: 'same' } : { is: 'different', digest: again.digest, difference: null };
}
