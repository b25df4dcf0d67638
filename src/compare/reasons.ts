import { upperBound } from '../stats/clopper-pearson.ts';
import type { RestrictedMeans } from './headline.ts';
import type { Decision, Margin } from './margin.ts';
import type { Question } from './questions.ts';

/** What each question is about, in words that go on with a change. */
const SUBJECT: Record<Question['name'], string> = {
  'left-lock-behind': 'the share of kills that leave the lock behind',
  'never-recovered': 'the share of trials that never recover',
  'clean-recovery': 'recovery after kills that leave no lock behind',
  'left-behind-recovery': 'recovery after kills that leave the lock behind',
};

/** Why the decision is what it is, one line each: all that regressed, or all that can't be told, or what speaks for ok. */
export function reasonsOf(decision: Decision, questions: Question[], rmst: RestrictedMeans, margin: Margin): string[] {
  const reasons = [
    ...(rmst.decision === decision ? [ofMean(rmst, margin)] : []),
    ...questions.filter((question) => question.decision === decision).map((question) => ofQuestion(question, margin)),
  ];
  // The share that never recovers weighs most: no mean can make up for it.
  return reasons.toSorted((a, b) => Number(b.startsWith(SUBJECT['never-recovered'])) - Number(a.startsWith(SUBJECT['never-recovered'])));
}

function ofMean({ difference, lower, upper, tolerated, decision, n }: RestrictedMeans, margin: Margin): string {
  const change = `mean recovery changed by ${signed(difference)} (${signed(lower)} … ${signed(upper)}), ${against(decision, 'relative' in margin ? `${marginText(margin)}, ${ms(tolerated)}` : marginText(margin))}`;
  return decision === 'inconclusive' ? `${change}; ${moreSeeds(n, { difference, lower, upper, tolerated })}` : change;
}

function ofQuestion(question: Question, margin: Margin): string {
  const { name, baseline, contender, estimate, lower, upper, change, shiftMs, decision, n } = question;
  if (name === 'never-recovered') {
    const counts = `${SUBJECT[name]} went from ${Math.round((baseline ?? 0) * n)} to ${Math.round((contender ?? 0) * n)} of ${n}`;
    if (decision === 'regressed') return `${counts}: no margin tolerates that`;
    if (contender === 0) return `${counts}: fewer than ${(upperBound(0, n, 0.95) * 100).toPrecision(2)} % at 95 %`;
    return decision === 'ok' ? counts : `${counts}, which chance may have done: run more seeds`;
  }
  const inMs = 'absoluteMs' in margin && shiftMs !== undefined;
  const values = inMs
    ? [shiftMs.estimate, shiftMs.lower, shiftMs.upper].map(signed)
    : [estimate, lower, upper].map(change === 'ratio' ? percent : signed);
  return `${SUBJECT[name]} changed by ${values[0]} (${values[1]} … ${values[2]}), ${against(decision, marginText(margin))}`;
}

function against(decision: Decision | null, tolerated: string): string {
  switch (decision) {
    case 'regressed':
      return `beyond what is tolerated (${tolerated})`;
    case 'ok':
      return `within what is tolerated (${tolerated})`;
    default:
      return `on both sides of what is tolerated (${tolerated})`;
  }
}

/** An interval narrows with the root of the number of pairs. */
function moreSeeds(
  n: number,
  { difference, lower, upper, tolerated }: Pick<RestrictedMeans, 'difference' | 'lower' | 'upper' | 'tolerated'>,
): string {
  const room = Math.abs(tolerated - difference);
  if (lower === null || upper === null || room === 0) return 'run more seeds, or tolerate more';
  const wanted = Math.ceil(n * ((upper - lower) / 2 / room) ** 2 * 1.1);
  return wanted > 1_000_000 ? 'more seeds would hardly tell: tolerate more, or less' : `about ${wanted} pairs would tell`;
}

/** `10 %` or `500 ms`. */
export function marginText(margin: Margin): string {
  return 'relative' in margin ? `${Number((margin.relative * 100).toFixed(2))} %` : ms(margin.absoluteMs);
}

function ms(value: number): string {
  return Math.abs(value) < 1000 ? `${Number(value.toFixed(1))} ms` : `${(value / 1000).toFixed(2)} s`;
}

function signed(value: number | null): string {
  return value === null ? '∞' : value > 0 ? `+${ms(value)}` : ms(value);
}

function percent(ratio: number | null): string {
  if (ratio === null) return '∞';
  const share = Number(((ratio - 1) * 100).toFixed(1));
  return `${share > 0 ? '+' : ''}${share} %`;
}
