import { resumeCommand } from '../campaign-run/run-directory.ts';
import type { RunSummary } from '../judge/run-summary.ts';
import { EXIT } from './exit-code.ts';

/** The summary of a run that did not come to its end: half a campaign that holds is no pass, and what it lacks may still have been to come. */
export function cutShort(summary: RunSummary): RunSummary {
  const note = `the run was interrupted: this is what its trials until then say. Go on with it: ${resumeCommand(summary.runDirectory)}`;
  const verdict = summary.verdict === 'fail' ? 'fail' : 'void';
  return { ...summary, verdict, exitCode: EXIT.interrupted, reasons: verdict === 'fail' ? summary.reasons : [], notes: [note] };
}
