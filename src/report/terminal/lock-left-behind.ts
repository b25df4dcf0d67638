import type { TrialRecord } from '../../history/record.ts';
import { count, duration, durationRange } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { type Column, table } from '../table.ts';

const columns: Column[] = [
  { name: 'trials whose kill …', align: 'left' },
  { name: 'trials', align: 'right' },
  { name: 'recovery min – max', align: 'right' },
  { name: 'trial min – max', align: 'right' },
];

/** Trials whose kill left the lock behind against those that did not: how many, and how long each took. */
export function lockLeftBehindTable(records: TrialRecord[], paint: Paint): string {
  const killed = records.filter(({ variant, kills }) => variant === null && kills.length > 0);
  const left = killed.filter(({ kills }) => kills.some((kill) => kill.left_lock_behind));
  const otherwise = killed.filter((record) => !left.includes(record));
  return table(columns, [row('left the lock behind', left), row('did not', otherwise)], paint);
}

/** What the whole campaign took. */
export function campaignTime(run: { driver: string; wallMs: number; virtualMs: number }, trials: number): string {
  const virtual = run.driver === 'sim' ? `, ${duration(run.virtualMs)} of virtual time` : '';
  return `whole campaign: ${count(trials, 'trial')}, controls included, in ${duration(run.wallMs)}${virtual}`;
}

function row(name: string, records: TrialRecord[]): string[] {
  const recoveries = records.flatMap(({ kills }) => kills.flatMap(({ recovery_ms }) => recovery_ms ?? []));
  return [
    name,
    String(records.length),
    durationRange(rangeOf(recoveries)),
    durationRange(rangeOf(records.map(({ duration_ms }) => duration_ms))),
  ];
}

function rangeOf(values: number[]): { min: number | null; max: number | null } {
  return values.length === 0 ? { min: null, max: null } : { min: Math.min(...values), max: Math.max(...values) };
}
