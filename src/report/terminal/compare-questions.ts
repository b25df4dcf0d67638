import type { Comparison } from '../../compare/compare.ts';
import type { RestrictedMeans } from '../../compare/headline.ts';
import type { Decision } from '../../compare/margin.ts';
import type { Question } from '../../compare/questions.ts';
import { upperBound } from '../../stats/clopper-pearson.ts';
import { duration } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { type Column, type Grid, gridText } from '../table.ts';

const NAMES: Record<Question['name'], string> = {
  'left-lock-behind': 'lock left behind',
  'never-recovered': 'never recovered',
  'clean-recovery': 'recovery, none left',
  'left-behind-recovery': 'recovery, lock left',
};

/** One line for each question: `~` where the interval allows for no change, `∞` where there are too few pairs for an end of it. */
export function questionsTable(comparison: Comparison, paint: Paint): string {
  if (comparison.questions.length === 0) return '';
  return [gridText(questionsGrid(comparison, paint), paint), ...boundText(comparison.questions)].join('\n');
}

export function questionsGrid({ questions }: Comparison, paint: Paint): Grid {
  const columns: Column[] = [
    { name: 'question', align: 'left' },
    ...['pairs', 'baseline', 'contender', 'change', '95 % interval', 'p (Holm)', 'decision'].map(
      (name) => ({ name, align: 'right' }) as const,
    ),
  ];
  const rows = questions.map((question) => [
    NAMES[question.name],
    String(question.n),
    valueText(question, question.baseline),
    valueText(question, question.contender),
    isIndistinguishable(question) ? '~' : changeText(question, question.estimate),
    question.estimate === null ? '–' : intervalText(question),
    pText(question.pHolm),
    decided(question.decision, paint),
  ]);
  return { columns, rows };
}

/** The restricted means and their difference. */
export function meansText({ rmstMs }: Comparison, paint: Paint): string {
  if (rmstMs === null) return '';
  return `${gridText(meansGrid(rmstMs, paint), paint)}\n${paint('dim', meansMethod(rmstMs))}`;
}

export function meansGrid({ baseline, contender, difference, lower, upper, p, n, decision }: RestrictedMeans, paint: Paint): Grid {
  const columns: Column[] = ['pairs', 'baseline', 'contender', 'change', '95 % interval', 'p', 'decision'].map((name) => ({
    name,
    align: 'right',
  }));
  const change = excludes(lower, upper, 0) ? signedDuration(difference) : '~';
  const interval = `${signedDuration(lower)} … ${signedDuration(upper)}`;
  const row = [String(n), duration(baseline), duration(contender), change, interval, pText(p), decided(decision, paint)];
  return { columns, rows: [row] };
}

/** How the means were made. */
export function meansMethod({ method, horizon, resamples }: RestrictedMeans): string {
  return method === 'mean'
    ? `nothing counts more than the deadline, ${duration(horizon)}; p by ${resamples.toLocaleString('en')} sign flips`
    : `areas under Kaplan–Meier curves up to ${duration(horizon)}, because deadlines differ; no test`;
}

export function shiftsTable(comparison: Comparison, paint: Paint): string {
  return comparison.shifts.length === 0 ? '' : gridText(shiftsGrid(comparison), paint);
}

export function shiftsGrid({ shifts }: Comparison): Grid {
  const columns: Column[] = ['', 'baseline', 'contender', 'shift', '95 % interval'].map((name) => ({ name, align: 'right' }));
  const rows = shifts.map(({ p, baseline, contender, shift, lower, upper }) => [
    `p${Math.round(p * 100)}`,
    baseline === null ? '∞' : duration(baseline),
    contender === null ? '∞' : duration(contender),
    shift === null ? '∞' : shift !== 0 && excludes(lower, upper, 0) ? signedDuration(shift) : '~',
    `${signedDuration(lower)} … ${signedDuration(upper)}`,
  ]);
  return { columns, rows };
}

/** What is still possible where nothing failed. */
function boundText(questions: Question[]): string[] {
  const never = questions.find(({ name }) => name === 'never-recovered');
  if (never?.contender !== 0 || never.n === 0) return [];
  return [
    `every one of the contender's ${never.n} trials recovered: with 95 % confidence fewer than ${(upperBound(0, never.n, 0.95) * 100).toPrecision(2)} % don't`,
  ];
}

function isIndistinguishable({ change, lower, upper }: Question): boolean {
  return !excludes(lower, upper, change === 'ratio' ? 1 : 0);
}

function excludes(lower: number | null, upper: number | null, nothing: number): boolean {
  return (lower !== null && lower > nothing) || (upper !== null && upper < nothing);
}

function valueText({ of }: Question, value: number | null): string {
  if (value === null) return '–';
  return of === 'share' ? `${Number((value * 100).toFixed(1))} %` : duration(value);
}

function changeText({ change }: Question, value: number | null): string {
  if (value === null) return '∞';
  if (change === 'ms') return signedDuration(value);
  const percent = Number(((change === 'ratio' ? value - 1 : value) * 100).toFixed(1));
  return `${percent > 0 ? '+' : ''}${percent} ${change === 'ratio' ? '%' : 'pp'}`;
}

/** The unit of shares and ratios is said once. */
function intervalText(question: Question): string {
  const [lower, upper] = [changeText(question, question.lower), changeText(question, question.upper)];
  return `${question.change === 'ms' || question.upper === null ? lower : lower.replace(/ (pp|%)$/, '')} … ${upper}`;
}

function signedDuration(ms: number | null): string {
  if (ms === null) return '∞';
  return ms > 0 ? `+${duration(ms)}` : duration(ms);
}

function pText(p: number | null): string {
  return p === null ? '–' : p < 0.001 ? '<0.001' : p.toFixed(3);
}

function decided(decision: Decision | null, paint: Paint): string {
  if (decision === null) return paint('dim', '–');
  return decision === 'regressed' ? paint('red', decision) : decision === 'inconclusive' ? paint('yellow', decision) : decision;
}
