import { describe, expect, test } from 'vitest';
import fenceLock from '../../../campaigns/fence-lock/campaign.ts';
import { LOCK } from '../../../campaigns/fence-lock/fence-lock-adapter.ts';
import { EXPECTED } from '../../../campaigns/fence-lock/next-write.ts';
import nextWriteInTime from '../../../campaigns/fence-lock/next-write-in-time.ts';
import oneWritePerCount from '../../../campaigns/fence-lock/one-write-per-count.ts';
import type { Entry, History } from '../../../src/history/history.ts';
import { ended, event, facts, final, killed, lock, lost, operation, spawn } from '../../fixtures/histories.ts';

const trial = (subject: string, scenario: string) => ({ ...facts, subject, scenario });
const names = operation(1, 's1', { kind: 'mkdir', path: `${LOCK}/holder-1-a-s1.1`, changes: true, lock: true });

/** A holder is killed at 2 ms with so much of its lease left, and the next write comes later. */
function killedHolder(subject: string, scenario: string, next_ms: number, before: Entry[] = [names], after: Entry[] = []): History {
  return {
    trial: trial(subject, scenario),
    entries: [
      spawn(0, 's1'),
      lock(1, 'acquired', 's1', null, 30_001),
      ...before,
      killed(2, 's1', 29_999),
      spawn(3, 's2', 's1'),
      ...after,
      event(2 + next_ms, 'attached:s2', 'events/000001.json', 's2', null),
      ended(3 + next_ms, 's2'),
    ],
  };
}

const sites = (history: History) => nextWriteInTime.check(history).map(({ site }) => site);

describe('next-write-in-time', () => {
  test.each([
    ['unnamed', 28_000, 'early'],
    ['unnamed', 30_100, null],
    ['unnamed', 34_000, 'late'],
    ['named', 200, null],
    ['named', 30_100, 'late'],
    ['owner-file', 900, null],
    ['owner-file', 1_100, 'late'],
  ])('%s: the next write after %i ms', (subject, next_ms, site) => {
    expect(sites(killedHolder(subject, 'killed-holder', next_ms))).toEqual(site === null ? [] : [site]);
  });

  test('where nobody can know that the holder is dead, who comes at once is too early', () => {
    expect(sites(killedHolder('named', 'other-host', 200))).toEqual(['early']);
    expect(sites(killedHolder('named', 'other-host', 30_100))).toEqual([]);
  });

  test('a lock that carries no name, or no more, is waited for', () => {
    const removes = operation(1.5, 's1', { kind: 'rmdir', path: `${LOCK}/holder-1-a-s1.1`, changes: true, lock: true });
    for (const before of [[], [names, removes]]) {
      expect(sites(killedHolder('named', 'kill-any-time', 30_100, before))).toEqual([]);
      expect(sites(killedHolder('named', 'kill-any-time', 200, before))).toEqual(['early']);
    }
  });

  test('an error at the lock that is met again and again is named', () => {
    const fails = (t_ms: number) => operation(t_ms, 's2', { kind: 'rmdir', path: LOCK, changes: true, lock: true, error: 'ENOTEMPTY' });
    const [violation] = nextWriteInTime.check(killedHolder('unnamed', 'mixed-versions', 50_000, [names], [fails(31_000), fails(31_100)]));
    expect(violation).toMatchObject({ site: 'rmdir of the lock fails with ENOTEMPTY', message: expect.stringContaining('2 times') });
  });

  test('a forged history is rejected', () => {
    const held = killedHolder('named', 'killed-holder', 200);
    expect(sites(nextWriteInTime.forge(held) as History)).toEqual(['late']);
  });

  test('every scenario that kills says what it expects of every lock that it is for', () => {
    const { subjects = [], scenarios } = fenceLock;
    for (const { name } of scenarios) {
      const told = Object.keys(EXPECTED[name] ?? {});
      const isFor = subjects.filter(({ notApplicable = {} }) => !(name in notApplicable)).map(({ name }) => name);
      expect(new Set(told), name).toEqual(new Set(['live-holder', 'sleeping-releaser'].includes(name) ? [] : isFor));
    }
  });
});

describe('one-write-per-count', () => {
  const whole = [
    event(1, 'attached:s1', 'events/000001.json', 's1', null),
    event(2, 'leased:s1', 'events/000002.json', 's1', null),
    ended(3, 's1'),
  ];
  const seen = (...entries: Entry[]) => oneWritePerCount.check({ trial: trial('named', 'killed-holder'), entries }).map(({ site }) => site);
  test('one event under each number is as it must be', () => {
    expect(seen(...whole, final(4, whole))).toEqual([]);
  });

  test('two under one number are seen, also when the first is gone', () => {
    const replaced = event(3, 'attached:s2', 'events/000001.json', 's2', null);
    expect(seen(...whole, lost(3, 'attached:s1', 'events/000001.json'), replaced, final(4, whole))).toEqual(['replaced event']);
  });

  test('a number that is missing is seen', () => {
    expect(seen(...whole, final(4, whole.slice(1)))).toEqual(['missing event']);
  });

  test('a forged history is rejected', () => {
    const forged = oneWritePerCount.forge({ trial: trial('named', 'killed-holder'), entries: [...whole, final(4, whole)] });
    expect(oneWritePerCount.check(forged as History)).toHaveLength(1);
  });
});
