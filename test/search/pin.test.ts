import { describe, expect, test } from 'vitest';
import type { EndRecord } from '../../src/history/record.ts';
import { printPlan } from '../../src/plan/print.ts';
import { pinned } from '../../src/search/pin.ts';
import { landed } from '../fixtures/records.ts';

const write = { n: 12, kind: 'write', path: 'ledger', nth: 3, done: true };

const end = (session: string, last_operation: EndRecord['last_operation']): EndRecord => ({
  session,
  how: 'killed',
  code: null,
  signal: 'SIGKILL',
  reason: null,
  ...(last_operation !== undefined && { last_operation }),
});

const plans = (plan: string, ends: EndRecord[], sessions = ends.map(({ session }) => session)) =>
  pinned({ plan, ends, landed: plan.split('  ').map((fault, step) => landed(fault, { session: sessions[step] ?? null })) }).map(printPlan);

describe('a kill', () => {
  test('after an operation that was over: by what it was, then by its number', () => {
    expect(plans('s1@t=80ms:kill', [end('s1', write)])).toEqual(['s1@write(ledger)#3+:kill', 's1@op#12+:kill']);
  });

  test('within an operation: before it or after it, nobody knows', () => {
    expect(plans('holder@t=80ms:kill', [end('s2', { ...write, done: false })])).toEqual([
      's2@write(ledger)#3:kill',
      's2@write(ledger)#3+:kill',
      's2@op#12:kill',
      's2@op#12+:kill',
    ]);
  });

  test('of a session that had begun none: before its first', () => {
    expect(plans('s1@t=1ms:kill', [end('s1', null)])).toEqual(['s1@op#1:kill', 's1@op#1:kill']);
  });

  test('on a path that reads like a pattern: by number', () => {
    expect(plans('s1@t=80ms:kill', [end('s1', { ...write, path: 'a[1]' })])[0]).toBe('s1@op#12+:kill');
  });
});

test('each kill of several is placed, and other faults stay where they are', () => {
  const ends = [end('s1', write), end('s2', null)];
  expect(plans('s1@event#2:steal  s1@holding+30%:kill  s2@t=99ms:kill', ends, ['s1', 's1', 's2'])[0]).toBe(
    's1@event#2:steal  s1@write(ledger)#3+:kill  s2@op#1:kill',
  );
});

test('kills that did not land, or of which nothing is known, stay too', () => {
  const plan = 's1@t=80ms:kill';
  expect(plans(plan, [end('s1', undefined)])[0]).toBe(plan);
  expect(plans(plan, [{ ...end('s1', write), how: 'done' }])[0]).toBe(plan);
});

test('twenty kills within operations do not give a million plans', () => {
  const sessions = Array.from({ length: 20 }, (_, index) => `s${index + 1}`);
  const plan = sessions.map((session) => `${session}@t=80ms:kill`).join('  ');
  expect(
    plans(
      plan,
      sessions.map((session) => end(session, { ...write, done: false })),
    ),
  ).toHaveLength(32);
});
