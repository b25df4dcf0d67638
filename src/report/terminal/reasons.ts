import { broke, isFailure } from '../../judge/findings.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { item } from './item.ts';

/**
 * Why a run, or the gate over it, is not a pass. The reasons begin with the findings that failed the run, in their order. Those stand above with
 * what they are about and the commands that show them again, so that here they are only named.
 */
export function reasonsText(reasons: string[], { findings }: Pick<RunSummary, 'findings'>): string[] {
  const failures = findings.filter(isFailure);
  const named = failures.map(broke).join('; ');
  const others = reasons.slice(failures.length);
  const lines = failures.length === 0 ? others : [`${named}: see Findings, and with --timeline what happened`, ...others];
  return lines.map((reason) => item('•', reason));
}
