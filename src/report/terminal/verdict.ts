import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import type { RunSummary } from '../run-summary.ts';

const COLOURS = { pass: 'green', fail: 'red', blind: 'magenta', void: 'yellow' } as const;

const NEXT: Record<RunSummary['verdict'], string | null> = {
  pass: null,
  fail: 'replay a finding with --timeline to see what happened',
  blind: 'a checker or a control has stopped working: mend it before you trust any other figure of this run',
  void: 'too little was hit to say anything: look at the reasons above, and let the scenarios aim better or run more seeds',
};

/** The verdict, why, and what to do next. */
export function verdictText(run: RunSummary, paint: Paint): string {
  const { total, held, broken } = run.trials;
  const next = NEXT[run.verdict];
  return [
    `${paint(['bold', COLOURS[run.verdict]], run.verdict.toUpperCase())}  ${count(total, 'trial')}: ${held} held, ${broken} broken, ${run.trials.void} void`,
    ...run.reasons.map((reason) => `  ${reason}`),
    ...(next === null ? [] : [paint('dim', `  next: ${next}`)]),
    paint('dim', `  ${run.runDirectory}`),
  ].join('\n');
}
