import type { TrialRecord } from '../../history/record.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { noFaults } from '../../plan/no-faults.ts';
import { duration } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { type Column, table } from '../table.ts';

const columns: Column[] = [
  { name: 'subject', align: 'left' },
  { name: 'trials', align: 'right' },
  { name: 'in all', align: 'right' },
  { name: 'operations per event', align: 'right' },
  { name: 'per acquisition', align: 'right' },
];

/**
 * What each subject took in all of its trials, and what it costs when nothing happens: operations on the state directory, in the runs without faults. With faults they are mostly
 * those of sessions that wait.
 */
export function subjectsTable({ driver, scenarios }: RunSummary, records: TrialRecord[], paint: Paint): string {
  const subjects = [...new Set(scenarios.map(({ subject }) => subject))];
  if (subjects.length < 2) return '';
  const rows = subjects.map((subject) => {
    const own = records.filter((record) => record.subject === subject && record.variant === null);
    const [calm, disturbed] = [true, false].map((isCalm) => own.filter(({ scenario }) => (scenario === noFaults.name) === isCalm)) as [
      TrialRecord[],
      TrialRecord[],
    ];
    const operations = sum(calm.map((record) => record.operations));
    return [
      subject,
      String(disturbed.length),
      duration(sum(disturbed.map(({ duration_ms }) => duration_ms))),
      per(operations, sum(calm.map(({ events }) => events))),
      per(operations, sum(calm.map(({ acquisitions = 0 }) => acquisitions))),
    ];
  });
  return [
    table(columns, rows, paint),
    ...(driver === 'sim' ? [paint('dim', 'times are virtual; operations are those of the runs without faults')] : []),
  ].join('\n');
}

/** Under live nobody sees operations. */
function per(operations: number, of: number): string {
  return operations === 0 || of === 0 ? '–' : (operations / of).toFixed(1);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
