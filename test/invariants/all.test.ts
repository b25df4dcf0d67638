import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry, History } from '../../src/history/history.ts';
import { allInvariants } from '../../src/invariants/all.ts';
import { ended, event, killAndTakeover, lock, operation, pauseAndTakeover, spawn, stealAndResume, whole } from '../fixtures/histories.ts';

const broken = (history: History) => allInvariants.filter(({ check }) => check(history).length > 0).map(({ name }) => name);

const undisturbed: Entry[] = [
  spawn(0, 's1'),
  lock(100, 'acquired', 's1', 1),
  event(1000, 'a', 'ledger:1', 's1', 1),
  event(1100, 'b', 'ledger:2', 's1', 1),
  lock(1200, 'released', 's1', 1),
  ended(1300, 's1'),
];
const held = { killAndTakeover, pauseAndTakeover, stealAndResume, undisturbed };

test.each(Object.entries(held))('%s holds them all', (_, entries) => {
  expect(broken(whole(entries))).toEqual([]);
});

test('names are unique and in kebab case', () => {
  const names = allInvariants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

describe.each(allInvariants)('$name', ({ name, check, forge }) => {
  // What else a forged history breaks, where it can't be helped.
  const alsoBroken: Record<string, string[]> = {
    'no-write-after-theft in killAndTakeover': ['robbed-session-dies'],
    'no-write-after-theft in undisturbed': ['robbed-session-dies'],
    'robbed-session-dies in killAndTakeover': ['finishes'],
    'robbed-session-dies in undisturbed': ['finishes'],
  };

  test.each(Object.entries(held))('rejects what it forges in %s, and the others hardly mind', (title, entries) => {
    const history = whole(entries);
    const before = structuredClone(history);
    const forged = forge(history);
    expect(history).toEqual(before);
    if (forged) expect(broken(forged).sort()).toEqual([name, ...(alsoBroken[`${name} in ${title}`] ?? [])].sort());
  });

  test('can be forged somewhere', () => {
    expect(Object.values(held).some((entries) => forge(whole(entries)) !== null)).toBe(true);
  });

  test('says in one line what proves it, and points at entries that there are', () => {
    for (const entries of Object.values(held)) {
      const forged = forge(whole(entries));
      for (const violation of forged ? check(forged) : []) {
        expect(violation.message).toMatch(/^[^\n]{10,}$/);
        expect(violation.message).not.toMatch(/undefined|NaN|null/);
        for (const index of violation.entries) expect(forged?.entries[index]).toBeDefined();
      }
    }
  });

  test('copes with any part of a history', () => {
    for (const entries of Object.values(held)) {
      for (let length = 0; length <= entries.length; length += 1) {
        const part = { ...whole(entries), entries: entries.slice(0, length) };
        check(part);
        forge(part);
      }
    }
  });

  /** What a kernel says of itself, and what it reads, is nobody's business here. */
  const unrelated = fc.oneof(
    fc.constant(operation(0, 's9')),
    fc.string().map((text): Entry => ({ type: 'said', t_ms: 0, session: 's1', say: 'point', text })),
    fc.constant<Entry>({ type: 'uncontrolled', t_ms: 0, session: 's1', what: 'a worker' }),
  );

  test('does not mind unrelated entries', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(held)),
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(40), unrelated)),
        (entries, isForged, more) => {
          const history = isForged ? forge(whole(entries)) : whole(entries);
          fc.pre(history !== null);
          const strewn = more.reduce((all, [at, entry]) => {
            const index = at % (all.length + 1);
            const before = all[index - 1];
            // A lock entry belongs to the operation before it.
            if (all[index]?.type === 'lock') return all;
            return all.toSpliced(index, 0, { ...entry, t_ms: before?.t_ms ?? 0 });
          }, history.entries);
          const messages = (entries: Entry[]) => check({ ...history, entries }).map(({ message }) => message);
          expect(messages(strewn)).toEqual(messages(history.entries));
        },
      ),
    );
  });
});
