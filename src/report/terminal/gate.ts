import type { Gate } from '../../gate/gate.ts';
import type { TrialRecord } from '../../history/record.ts';
import type { Paint } from '../paint.ts';
import { comparisonsOf } from '../result.ts';
import { compareReport } from './compare.ts';
import { item } from './item.ts';
import { reasonsText } from './reasons.ts';
import { terminalReport } from './terminal.ts';
import { COLOURS } from './verdict.ts';

/** The run, the comparisons, and under them the one verdict over both, with what to do next. */
export function gateReport(gate: Gate, records: TrialRecord[], paint: Paint): string {
  return [
    terminalReport(gate.run, records, paint),
    ...comparisonsOf(gate).map((comparison) => compareReport(comparison, paint)),
    `${paint('bold', 'Gate')}\n${verdictText(gate, paint)}\n`,
  ].join('\n');
}

function verdictText({ verdict, reasons, notes, next, against, run }: Gate, paint: Paint): string {
  return [
    `${paint(['bold', COLOURS[verdict]], verdict.toUpperCase())}  ${againstText(against)}`,
    ...reasonsText(reasons, run),
    ...notes.map((note) => paint('dim', item('note:', note))),
    ...next.map((step) => item('→', step)),
  ].join('\n');
}

/** `against the baseline reports/baselines/ingest.json`. */
export function againstText(against: Gate['against']): string {
  switch (against.is) {
    case 'baseline':
      return `against the baseline ${against.file}${against.git === null ? '' : `, made at ${against.git}`}`;
    case 'commit':
      return `against ${against.commit.slice(0, 12)}, where ${against.ref} and this parted`;
    case 'nothing':
      return 'against nothing';
  }
}
