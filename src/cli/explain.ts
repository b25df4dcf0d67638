import { CampaignError } from '../campaign/campaign-error.ts';
import { FleetError } from '../campaign-run/fleet/fleet-error.ts';
import { resumeCommand } from '../campaign-run/run-directory.ts';
import { RunHeldError, RunLostError, RunStoppedError } from '../campaign-run/run-errors.ts';
import { IncomparableError } from '../compare/pair.ts';
import { LaunchError } from '../driver/launch-error.ts';
import { MergeBaseError } from '../gate/merge-base.ts';
import { NoBaselineError } from '../gate/run-gate.ts';
import { UnreadableFileError } from '../history/lines.ts';
import { PlanError } from '../plan/parse.ts';
import { EXIT, UsageError } from './exit-code.ts';

/** Errors whose message tells the user what to write instead. Anything else is the harness's own failure. */
const USERS = [
  UsageError,
  CampaignError,
  PlanError,
  UnreadableFileError,
  LaunchError,
  IncomparableError,
  MergeBaseError,
  NoBaselineError,
  RunHeldError,
];

/** What to say of an error, and the exit code that it means. */
export function explain(error: unknown, verbose: boolean): { text: string; exitCode: number } {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  if (USERS.some((type) => error instanceof type)) return { text: verbose ? stack : message, exitCode: EXIT.usage };
  if (error instanceof FleetError) return { text: verbose ? stack : message, exitCode: error.when === 'usage' ? EXIT.usage : EXIT.harness };
  if (error instanceof RunStoppedError) {
    // Whoever took the run over goes on with it.
    const next = error instanceof RunLostError ? '' : ` Then go on with the run: ${resumeCommand(error.runDirectory)}`;
    return { text: `${verbose ? stack : message}${next}`, exitCode: EXIT.harness };
  }
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd')
    return { text: 'the working directory has been removed: go to one that is there', exitCode: EXIT.usage };
  const text = verbose ? stack : `${message.split('\n')[0]} (--verbose shows where)`;
  return { text: `the harness failed: ${text}`, exitCode: EXIT.harness };
}
