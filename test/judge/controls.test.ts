import { expect, test } from 'vitest';
import type { Expectation } from '../../src/campaign/campaign.ts';
import type { EndRecord, TrialRecord } from '../../src/history/record.ts';
import { judgeControls } from '../../src/judge/controls.ts';
import { broken, landed, record, voided } from '../fixtures/records.ts';

const variant = 'v';
const judge = (expect: Expectation, records: TrialRecord[]) => judgeControls([{ name: variant, expect }], records)[0];
const breaking = (seed: number, ...names: string[]) =>
  broken(
    seed,
    names.map((invariant) => ({ invariant })),
    { variant },
  );

test('breaks: each of them, and as often as the rarest', () => {
  const records = [record(1, { variant }), breaking(2, 'a'), breaking(3, 'a', 'b'), breaking(4, 'a'), broken(5, [{ invariant: 'b' }])];
  expect(judge({ breaks: ['a'] }, records)).toMatchObject({
    met: true,
    caught: 3,
    trials: 4,
    detectionRate: 0.75,
    firstCatch: 2,
    firstCatchSeed: 2,
  });
  expect(judge({ breaks: ['a', 'b'] }, records)).toMatchObject({
    expected: 'breaks a and b',
    met: true,
    caught: 1,
    firstCatch: 3,
    firstCatchSeed: 3,
  });
  expect(judge({ breaks: ['a', 'c'] }, records)).toMatchObject({ met: false, caught: 0, firstCatch: null, firstCatchSeed: null });
});

test('breaksAny: one will do', () => {
  expect(judge({ breaksAny: ['c', 'b'] }, [breaking(1, 'a'), breaking(2, 'b')])).toMatchObject({
    expected: 'breaks c or b',
    caught: 1,
    firstCatch: 2,
  });
});

test('a crash or a timeout breaks what is not named, and is no catch', () => {
  expect(judge({ breaks: ['a'] }, [breaking(1, 'finishes'), breaking(2, 'finishes', 'recovers-within')])).toMatchObject({
    met: false,
    caught: 0,
  });
});

test('no trials: not met', () => {
  expect(judge({ breaks: ['a'] }, [])).toMatchObject({ met: false, trials: 0, detectionRate: null });
});

test('a variant without expectation is no control', () => {
  expect(judgeControls([{ name: variant }], [breaking(1, 'a')])).toEqual([]);
});

const robbed = (session: string, reason: string | null = 'robbed'): EndRecord => ({
  session,
  how: 'robbed',
  code: 1,
  signal: null,
  reason,
});

test.each<[string, Partial<TrialRecord>, number]>([
  ['unprovoked', { landed: [], ends: [robbed('s1')] }, 1],
  ['after a fault on another session', { landed: [landed('s2@op#5:kill', { session: 's2' })], ends: [robbed('s1')] }, 1],
  [
    'though the trial is void',
    { verdict: 'void', landed: [landed('s1@op#5:kill', { state: 'armed', session: null })], ends: [robbed('s1')] },
    1,
  ],
  ['of another reason', { landed: [], ends: [robbed('s1', 'SyntaxError')] }, 0],
  ['of no reason', { landed: [], ends: [robbed('s1', null)] }, 0],
  ['after it was paused', { landed: [landed('s1@op#5:pause=45s')], ends: [robbed('s1')] }, 0],
  ['after it had to wait for another', { landed: [landed('s1@op#5:yield=s2')], ends: [robbed('s1')] }, 0],
  ['after a theft by the harness', { landed: [landed('s2@op#1:steal', { session: 's2' })], ends: [robbed('s1')] }, 0],
])('dies, %s', (_, over, caught) => {
  expect(judge({ dies: 'robbed' }, [record(1, { variant, ...over })])).toMatchObject({ expected: 'dies with robbed', caught });
});

test('void trials are counted, and do not lower the rate', () => {
  expect(judge({ breaks: ['a'] }, [voided(1, { variant }), breaking(2, 'a')])).toMatchObject({
    trials: 2,
    void: 1,
    detectionRate: 1,
    firstCatch: 2,
  });
});
