import type { RunSummary } from '../../judge/run-summary.ts';
import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { item } from './item.ts';
import { reasonsText } from './reasons.ts';

export const COLOURS = { pass: 'green', fail: 'red', blind: 'magenta', void: 'yellow' } as const;

/** The verdict; its reasons, gravest first, each with what to do; what else should be known; and where the records are. */
export function verdictText(run: RunSummary, paint: Paint): string {
  const { total, held, broken, void: voided } = run.trials;
  const verdict = paint(['bold', COLOURS[run.verdict]], run.verdict.toUpperCase());
  return [
    `${verdict}  ${count(total, 'trial')}: ${held} held, ${broken} broken, ${voided} void`,
    ...coverageText(run.coverage).map((text) => item('•', text)),
    ...reasonsText(run.reasons, run),
    ...run.notes.map((note) => paint('dim', item('note:', note))),
    paint('dim', item('records:', run.runDirectory)),
  ].join('\n');
}

const CUT = { broken: 'stopped at the first broken trial', 'time-budget': 'stopped when its time was used up' } as const;

/** What was covered, where the run stopped before its end, and what it means that nothing broke. */
function coverageText({ trials, seeds, scenarios, cut, failureBound }: RunSummary['coverage']): string[] {
  const covered = `${count(trials, 'trial')} of ${count(seeds.count, 'seed')} (${seeds.first} to ${seeds.last}) in ${scenarios.covered} of ${count(scenarios.of, 'scenario')}`;
  return [
    ...(cut === null ? [] : [`${CUT[cut]}, ${trials === 0 ? 'before there was any' : `after ${covered}`}`]),
    ...(failureBound === null
      ? []
      : [`no failure in ${count(trials, 'trial')}: at most ${percent(failureBound)} fail, at 95 % confidence`]),
  ];
}

/** With two digits that count. */
function percent(share: number): string {
  const digits = Math.max(0, 1 - Math.floor(Math.log10(share * 100)));
  return `${(share * 100).toFixed(digits)} %`;
}
