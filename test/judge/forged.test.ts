import { expect, test } from 'vitest';
import { allInvariants } from '../../src/invariants/all.ts';
import { tryForged } from '../../src/judge/forged.ts';
import { killAndTakeover, pauseAndTakeover, whole } from '../fixtures/histories.ts';

const held = [whole(killAndTakeover), whole(pauseAndTakeover)];

test('the project’s own checkers reject what is planted', () => {
  expect(tryForged(allInvariants, held).filter(({ result }) => result !== 'rejected')).toEqual([]);
});

test('a checker that does not check is found out, one at a time', () => {
  for (const { name } of allInvariants) {
    const disabled = allInvariants.map((invariant) => (invariant.name === name ? { ...invariant, check: () => [] } : invariant));
    expect(tryForged(disabled, held).filter(({ result }) => result === 'accepted')).toMatchObject([{ invariant: name }]);
  }
});

test('where there is no place for it, that is said', () => {
  expect(tryForged(allInvariants, []).every(({ result, trial }) => result === 'not-plantable' && trial === null)).toBe(true);
});
