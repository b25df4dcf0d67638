import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { WIDTH } from '../table.ts';
import { wrap } from '../wrap.ts';

interface Rate {
  plan: string;
  steps: number;
  broken: number;
  of: number;
}

/** What is told of a plan that was made smaller. */
export interface ShrunkForm {
  invariant: string;
  fingerprint: string;
  /** The trial's id. */
  trial: string;
  /** The other invariants that it broke before it was made smaller. */
  others: string[];
  before: Rate;
  after: Rate;
  tried: number;
  minimal: boolean;
  story: string[];
  replay: string;
}

/** Before and after, the smallest trial in words, and the command that replays it. */
export function shrunkText(shrunk: ShrunkForm, paint: Paint): string {
  const { invariant, fingerprint, trial, others, before, after, tried, minimal, story, replay } = shrunk;
  return [
    `${paint('red', 'broken')}  ${paint('bold', invariant)}  ${paint('dim', `fingerprint ${fingerprint}`)}`,
    `  ${paint('dim', 'trial')}   ${trial}`,
    ...(others.length === 0 ? [] : [`  ${paint('dim', 'also')}    it broke ${others.join(', ')}: --invariant makes another small`]),
    `  ${paint('dim', 'before')}  ${rateText(before)}`,
    `  ${paint('dim', 'after')}   ${rateText(after)}`,
    `  ${paint('dim', `${count(tried, 'smaller plan')} tried; ${minimal ? 'nothing simpler breaks it in this way' : 'the budget ended the search'}`)}`,
    '',
    paint('bold', 'In words'),
    ...story.map((sentence) => `  ${wrap(sentence, WIDTH - 4).join('\n    ')}`),
    '',
    `  ${paint('dim', 'replay')}  ${replay}`,
  ].join('\n');
}

function rateText({ plan, steps, broken, of }: Rate): string {
  return `${count(steps, 'step')}  ${plan}${of > 1 ? `  (broke it in ${broken} of ${of})` : ''}`;
}
