import { sectionsOf } from './markdown/markdown.ts';
import { fit } from './markdown/text.ts';
import type { Result } from './result.ts';

/** GitHub shows so many annotations of a step. */
export const ANNOTATIONS_MAX = 10;
/** GitHub drops a step's summary that is longer than 1 MiB, whoever wrote the rest of it. */
export const SUMMARY_BYTES_MAX = 1024 * 1024;

/** What GitHub Actions is told: workflow commands for stdout, and what is to be added to the files of GITHUB_STEP_SUMMARY and GITHUB_OUTPUT. */
export interface ForGithub {
  annotations: string;
  summary: string;
  outputs: string;
}

/** @param room Bytes that are left in the step's summary. */
export function github(result: Result, room: number = SUMMARY_BYTES_MAX): ForGithub {
  const { verdict, exitCode, reasons, runDirectory } = saidOf(result);
  const outputs = { verdict, 'exit-code': String(exitCode), 'run-directory': runDirectory };
  return {
    annotations: annotationsOf(verdict, exitCode, reasons),
    // A file that others wrote to may not end with a line.
    summary: fit(['', ...sectionsOf(result)], room, 'the uploaded artefacts'),
    outputs: Object.entries(outputs)
      .map(([name, value]) => `${name}=${value.replace(/[\r\n]+/g, ' ')}\n`)
      .join(''),
  };
}

function saidOf(result: Result): { verdict: string; exitCode: number; reasons: string[]; runDirectory: string } {
  switch (result.of) {
    case 'run':
      return result.summary;
    case 'compare':
      return { ...result.comparison, verdict: result.comparison.decision, runDirectory: result.comparison.contender.runDirectory };
    case 'gate':
      return { ...result.gate, runDirectory: result.gate.run.runDirectory };
  }
}

/** One for each reason; those that are too many share the last. */
function annotationsOf(verdict: string, exitCode: number, reasons: string[]): string {
  const level = exitCode === 0 ? 'notice' : exitCode === 2 ? 'warning' : 'error';
  const shown = reasons.length > ANNOTATIONS_MAX ? reasons.slice(0, ANNOTATIONS_MAX - 1) : reasons;
  const rest = reasons.length - shown.length;
  const texts = [...shown, ...(rest > 0 ? [`and ${rest} more reasons: see the summary`] : [])];
  return (texts.length > 0 ? texts : [verdict])
    .map((text) => `::${level} title=${property(`crash-campaign: ${verdict}`)}::${data(text)}\n`)
    .join('');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
