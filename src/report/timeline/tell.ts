import type { Entry, EntryOf, Operation } from '../../history/history.ts';
import type { Window } from '../../plan/plan.ts';
import { count, duration } from '../duration.ts';
import type { Standing } from './standing.ts';

/**
 * What an entry is to a reader: a `turn` belongs into the shortest account of the trial, a `step` gets a line in the
 * timeline, a `detail` is only counted there.
 */
export type Weight = 'turn' | 'step' | 'detail';

/**
 * An entry in words, in the present tense: `s1 acquires the lock (token 1, until 30.000 s)`.
 * @param standing how things stood before it
 */
export function tell(entry: Entry, standing: Standing): { text: string; weight: Weight } {
  switch (entry.type) {
    case 'spawn':
      return step(
        `${entry.session} starts${entry.replaces === null ? '' : ` in place of ${entry.replaces}`} (pid ${entry.pid} on ${entry.host})`,
      );
    case 'operation':
      return { text: `${entry.session} ${operationText(entry)}`, weight: entry.lock && entry.changes && !entry.error ? 'step' : 'detail' };
    case 'said':
      return step(`${entry.session} says ${entry.say}${entry.text === '' ? '' : ` ${entry.text}`}`);
    case 'lock':
      return tellLock(entry, standing);
    case 'event':
      return step(`${entry.session ?? 'somebody'} writes event ${entry.id} (${entry.ref}${under(entry.token)})`);
    case 'event-lost':
      return turn(`event ${entry.id} is gone (${entry.ref})`);
    case 'work':
      return step(`${entry.session ?? 'somebody'} finishes ${entry.unit} (${entry.ref}${under(entry.token)})`);
    case 'unreadable':
      return turn(`${entry.path} is unreadable: ${entry.why}`);
    case 'fault':
      return tellFault(entry);
    case 'killed':
      return turn(
        `${entry.session} is killed${during(entry.windows)}${entry.held_lock ? `, leaving the lock behind${lease(entry.lease_left_ms)}` : ''}`,
      );
    case 'paused':
      return turn(`${entry.session} is paused`);
    case 'continued':
      return turn(`${entry.session} goes on`);
    case 'end':
      return tellEnd(entry);
    case 'stuck':
      return turn(`${entry.session} is stuck: no operation for ${duration(entry.real_ms)} of real time`);
    case 'uncontrolled':
      return step(`${entry.session} does something that is not simulated: ${entry.what}`);
    case 'given-up':
      return turn(`the trial is given up: ${entry.why}`);
    case 'final':
      return step(
        [
          `at the end: ${count(entry.events.length, 'event')}, ${count(entry.work.length, 'unit')} of work`,
          ...(entry.unreadable.length > 0 ? [`${entry.unreadable.length} unreadable`] : []),
          ...(entry.debris.length > 0 ? [`left over: ${entry.debris.join(', ')}`] : []),
        ].join(', '),
      );
  }
}

/** `rename a.tmp → a.json`, `mkdir lock fails with EEXIST`, `write ledger.jsonl, 80 bytes`. */
export function operationText(operation: Operation): string {
  const to = operation.to === undefined ? '' : ` → ${operation.to}`;
  const bytes = operation.bytes === undefined || operation.bytes === 0 ? '' : `, ${count(operation.bytes, 'byte')}`;
  const error = operation.error === undefined ? '' : ` fails with ${operation.error}`;
  return `${operation.kind} ${operation.path}${to}${bytes}${error}`;
}

function tellLock(entry: EntryOf<'lock'>, standing: Standing): { text: string; weight: Weight } {
  const facts = [
    ...(entry.token === null ? [] : [`token ${entry.token}`]),
    ...(entry.expires_ms === null
      ? []
      : [`until ${(entry.expires_ms / 1000).toFixed(3)} s${entry.expires_ms <= entry.t_ms ? ', over already' : ''}`]),
  ].join(', ');
  const session = entry.session ?? 'somebody';
  const more = facts === '' ? '' : ` (${facts})`;
  switch (entry.change) {
    case 'acquired':
      return turn(`${acquires(entry, standing)}${more}`);
    case 'renewed':
      return { text: `${session} renews the lock${more}`, weight: 'detail' };
    case 'released':
      return step(entry.session === null ? 'the lock is released' : `${session} releases the lock`);
    case 'stolen':
      return turn(`the harness steals the lock${more}`);
    case 'expired':
      return turn('the harness makes the lease run out');
    case 'damaged':
      return turn('the lock is damaged');
  }
}

/** A lock may come to name a session that does nothing: another completes what it had begun. And a renewal that does not look robs the thief. */
function acquires({ t_ms, session }: EntryOf<'lock'>, { sessions, alive, paused, lock }: Standing): string {
  if (session !== null && paused.has(session)) return `the lock is now that of ${session}, which is paused`;
  if (session !== null && sessions.includes(session) && !alive.has(session)) return `the lock is now that of ${session}, which is dead`;
  const isGood = lock?.stolen === true && (lock.expires_ms === null || lock.expires_ms > t_ms);
  return isGood ? `${session ?? 'somebody'} writes itself over the thief's lock` : `${session ?? 'somebody'} acquires the lock`;
}

function tellFault(entry: Extract<Entry, { type: 'fault' }>): { text: string; weight: Weight } {
  const where = entry.operation === null ? '' : ` at ${entry.operation}`;
  switch (entry.phase) {
    case 'reached':
      return { text: `fault ${entry.step + 1} is reached${where}`, weight: 'detail' };
    case 'delivered':
      return step(`fault ${entry.step + 1} lands${during(entry.windows)}${where}: ${entry.fault}`);
    case 'failed':
      return turn(`fault ${entry.step + 1} can't be delivered${where}: ${entry.fault}${entry.why === undefined ? '' : ` (${entry.why})`}`);
  }
}

function tellEnd(entry: Extract<Entry, { type: 'end' }>): { text: string; weight: Weight } {
  const how = entry.signal === null ? `exits with ${entry.code}` : `is ended by ${entry.signal}`;
  const reason = entry.reason === null ? '' : `: ${entry.reason}`;
  // That a killed session ends was told when it was killed.
  if (entry.asked) return { text: `${entry.session} has ended (${entry.signal ?? entry.code})`, weight: 'detail' };
  return { text: `${entry.session} ${how}${reason}`, weight: entry.code === 0 ? 'step' : 'turn' };
}

function during(windows: Window[]): string {
  return windows.length === 0 ? '' : ` while ${windows.join(' and ')}`;
}

function under(token: number | null): string {
  return token === null ? '' : `, token ${token}`;
}

function lease(left_ms: number | null): string {
  return left_ms === null ? '' : left_ms > 0 ? ` with ${duration(left_ms)} of its lease left` : ' with its lease run out';
}

const turn = (text: string) => ({ text, weight: 'turn' as const });
const step = (text: string) => ({ text, weight: 'step' as const });
