import type { Recheck, RecheckedTrial } from '../../campaign-run/recheck.ts';
import type { TrialRecord, Violation } from '../../history/record.ts';
import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { item } from './item.ts';
import { COLOURS } from './verdict.ts';

/** So many changed trials are told. */
const TOLD_MAX = 20;

const TRIAL_COLOURS = { held: 'green', broken: 'red', void: 'yellow' } as const;

/** What was judged again, each trial that is judged otherwise now, and the verdict then and now. */
export function recheckText({ histories, withoutHistory, changed, before, after }: Recheck, paint: Paint): string {
  const verdict = (run: typeof before) => paint(['bold', COLOURS[run.verdict]], run.verdict.toUpperCase());
  const rest = changed.length - TOLD_MAX;
  return [
    `${count(histories, 'history', 'histories')} judged again, ${count(changed.length, 'trial')} judged otherwise`,
    ...(withoutHistory > 0
      ? [paint('dim', `${count(withoutHistory, 'trial')} without a history: their records stand (--keep all keeps all)`)]
      : []),
    ...changed.slice(0, TOLD_MAX).map((trial) => `\n${trialText(trial, paint)}`),
    ...(rest > 0 ? [`\nand ${rest} more: --json has them all`] : []),
    '',
    before.verdict === after.verdict ? `${verdict(after)}  as before` : `${verdict(before)} → ${verdict(after)}`,
    ...after.reasons.map((reason) => item('•', reason)),
    '',
  ].join('\n');
}

function trialText({ id, before, after, found, gone, voidReasons }: RecheckedTrial, paint: Paint): string {
  const verdict = (is: TrialRecord['verdict']) => paint(TRIAL_COLOURS[is], is);
  const line = (mark: string, { invariant, message }: Violation) => item(mark, `${invariant}: ${message}`);
  return [
    `${paint('bold', id)}  ${before === after ? `${verdict(after)}, as before` : `${verdict(before)} → ${verdict(after)}`}`,
    ...found.map((violation) => line('+', violation)),
    ...gone.map((violation) => line('-', violation)),
    ...(voidReasons?.after ?? []).map((reason) => item('+', `void: ${reason}`)),
    ...(voidReasons?.before ?? []).map((reason) => item('-', `void: ${reason}`)),
  ].join('\n');
}
