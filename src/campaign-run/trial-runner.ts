import type { TrialKey } from '../campaign/expand.ts';
import type { History } from '../history/history.ts';
import type { TrialRecord } from '../history/record.ts';
import type { Plan } from '../plan/plan.ts';
import type { Golden } from '../plan/scenario.ts';
import { runAndJudge, type Setup } from './run-trial.ts';
import { runTwice } from './run-twice.ts';

/** A trial that was run, with its artefacts in the run directory. Of one that was run elsewhere the history is not at hand. */
export interface RanTrial {
  record: TrialRecord;
  history: History | null;
}

/** Where a run has its trials run. */
export interface TrialRunner {
  /** So many are given to it at once. */
  atOnce: number;
  /** Null: the run is being stopped, and nobody had begun this trial. */
  run(key: TrialKey, plan: Plan): Promise<RanTrial | null>;
  /** To be called when the record is on disk. */
  recorded(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Runs trials in this process. */
export function trialsHere(
  setup: Setup,
  golden: Golden,
  { workers, checkDeterminism }: { workers: number; checkDeterminism: boolean },
): TrialRunner {
  const runOne = checkDeterminism ? runTwice : runAndJudge;
  return {
    atOnce: workers,
    run: (key, plan) => runOne(setup, key, plan, golden),
    recorded: async () => {},
    close: async () => {},
  };
}
