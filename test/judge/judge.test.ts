import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/history/history.ts';
import { allInvariants } from '../../src/invariants/all.ts';
import { judgeTrial } from '../../src/judge/judge.ts';
import type { Fault, Plan, Window } from '../../src/plan/plan.ts';
import { amid, died, ended, event, fault, history, killAndTakeover, killed, lock, spawn, whole, without } from '../fixtures/histories.ts';

const at5: Fault['where'] = { at: 'operation', session: 's1', n: 5, edge: 'before' };
const plan = (...faults: Fault[]): Plan => ({ cast: [{}], faults });
const kill = plan({ where: at5, action: { do: 'kill' } });
const secondKill: Fault = { where: { at: 'end', session: 's2' }, action: { do: 'kill' } };
const yields: Fault = { where: { at: 'operation', session: 's2', n: 7, edge: 'before' }, action: { do: 'yield', to: 's1' } };

const judge = (entries: Entry[], over: { plan?: Plan; aims?: Window[]; spare?: number } = {}) =>
  judgeTrial({ history: whole(entries), plan: kill, invariants: allInvariants, ...over });

const duplicate = event(33_050, 'transcribed:1', 'ledger/2.jsonl:2', 's2', 2);

test('held, with what landed, the kills, the ends and the hits', () => {
  expect(judge(killAndTakeover, { aims: ['writing'] })).toMatchObject({
    verdict: 'held',
    violations: [],
    void_reasons: [],
    landed: [{ fault: 's1@op#5:kill', state: 'delivered', session: 's1', t_ms: 2000, operation: 'write ledger/1.jsonl', why: null }],
    kills: [{ session: 's1', takeover_ms: 29_200, progress_ms: 1800, recovery_ms: 31_000, ttl_floor_ms: 29_100, censored_ms: null }],
    ends: [
      { session: 's1', how: 'killed' },
      { session: 's2', how: 'done' },
    ],
    hits: { holding: 1, writing: 1 },
  });
});

test('broken, with the invariant’s name on the violation', () => {
  const { verdict, violations } = judge(amid(killAndTakeover, duplicate).toSorted((a, b) => a.t_ms - b.t_ms));
  expect(verdict).toBe('broken');
  expect(violations).toMatchObject([{ invariant: 'no-duplicate-events' }]);
});

describe('void', () => {
  const notKilled = without(killAndTakeover, ({ type }) => type === 'fault');

  test('when a fault was never reached', () => {
    expect(judge(notKilled)).toMatchObject({
      verdict: 'void',
      void_reasons: ['s1@op#5:kill was never reached'],
      landed: [{ state: 'armed' }],
    });
  });

  test('unless it may be left out as well, and all before it landed', () => {
    expect(judge(notKilled, { spare: 1 })).toMatchObject({ verdict: 'held', landed: [{ state: 'armed' }] });
    const twoKills = { plan: plan(...kill.faults, ...kill.faults) };
    expect(judge(killAndTakeover, { ...twoKills, spare: 1 }).verdict).toBe('held');
    expect(judge(notKilled, { ...twoKills, spare: 1 })).toMatchObject({
      verdict: 'void',
      void_reasons: ['s1@op#5:kill was never reached'],
    });
  });

  test('when it was reached and not delivered', () => {
    const entries = amid(notKilled, fault(2000, 0, 's1@op#5:kill', 's1', { phase: 'failed', why: 's1 had ended' }));
    expect(judge(entries)).toMatchObject({
      verdict: 'void',
      void_reasons: ['s1@op#5:kill was not delivered: s1 had ended'],
      landed: [{ state: 'reached' }],
      hits: {},
    });
  });

  test('when a kill was reported and the session ended by itself', () => {
    const entries = killAndTakeover.map((entry) => (entry.type === 'end' && entry.session === 's1' ? ended(2000, 's1') : entry));
    expect(judge(entries)).toMatchObject({
      verdict: 'void',
      landed: [{ state: 'reached', why: 's1 was not killed by it: it ended with code 0' }],
    });
  });

  test('when nothing fell into a window that was aimed at', () => {
    expect(judge(killAndTakeover, { aims: ['renewing', 'releasing'] })).toMatchObject({
      verdict: 'void',
      void_reasons: ['no fault landed while a session was renewing, releasing'],
      landed: [{ state: 'missed' }],
    });
  });

  test('when one of two kills did not land', () => {
    expect(judge(killAndTakeover, { plan: plan(...kill.faults, secondKill) }).void_reasons).toEqual(['s2@end:kill was never reached']);
  });

  test('when a session was killed by somebody else, whatever that did to the course of things', () => {
    const entries = killAndTakeover.slice(0, -1);
    const oom: Entry = { type: 'end', t_ms: 33_102, session: 's2', code: null, signal: 'SIGKILL', asked: false, reason: null };
    const after = judge([...entries, oom]);
    expect(after).toMatchObject({ verdict: 'void', void_reasons: ['s2 was ended by SIGKILL from outside the trial (out of memory?)'] });
    expect(after.ends.at(-1)?.how).toBe('foreign-kill');
  });

  test('when it was stopped before its end', () => {
    const { verdict, void_reasons } = judgeTrial({
      history: history(...killAndTakeover.slice(0, 15)),
      plan: kill,
      invariants: allInvariants,
    });
    expect([verdict, void_reasons]).toEqual(['void', ['the trial was stopped before its end']]);
  });
});

describe('not void', () => {
  test('with an empty plan, whatever the aims', () => {
    const entries = [spawn(0, 's1'), event(1, 'a', 'l:1', 's1', null), ended(2, 's1')];
    expect(judge(entries, { plan: plan(), aims: ['writing'] }).verdict).toBe('held');
  });

  test('when only a deviation was missed', () => {
    expect(judge(killAndTakeover, { plan: plan(...kill.faults, yields) }).verdict).toBe('held');
  });

  test('when a deviation lies outside the aims', () => {
    const deviated = amid(killAndTakeover, fault(1500, 1, 's2@op#7:yield=s1', 's2', { windows: ['idle'] }));
    const { verdict, landed, hits } = judge(deviated, { plan: plan(...kill.faults, yields), aims: ['writing'] });
    expect([verdict, landed[1]?.state, hits]).toEqual(['held', 'delivered', { holding: 1, writing: 1 }]);
  });

  test('but a plan of nothing else than deviations needs them', () => {
    const entries = without(killAndTakeover, ({ type }) => type === 'fault');
    expect(judge(entries, { plan: plan(yields) })).toMatchObject({ verdict: 'void', void_reasons: ['s2@op#7:yield=s1 was never reached'] });
  });
});

describe('a violation is not hidden', () => {
  test('by a fault that did not land', () => {
    const entries = amid(
      without(killAndTakeover, ({ type }) => type === 'fault'),
      duplicate,
    );
    expect(judge(entries)).toMatchObject({ verdict: 'broken', void_reasons: ['s1@op#5:kill was never reached'] });
  });

  test('by a foreign kill, unless it is that the work was not finished in time', () => {
    const oom: Entry = { type: 'end', t_ms: 33_102, session: 's2', code: null, signal: 'SIGKILL', asked: false, reason: null };
    const entries = [...amid(killAndTakeover, duplicate).slice(0, -1), oom];
    expect(judge(entries).violations.map(({ invariant }) => invariant)).toEqual(['no-duplicate-events']);
  });

  test('by the deadline, which is one', () => {
    const entries = [...killAndTakeover.slice(0, 12), { type: 'given-up' as const, t_ms: 300_000, why: 'the deadline came' }];
    expect(judge(entries).violations.map(({ invariant }) => invariant)).toEqual(['finishes', 'recovers-within']);
  });
});

test('a program that crashes by its own signal is to blame itself', () => {
  const crash: Entry = { type: 'end', t_ms: 50, session: 's1', code: null, signal: 'SIGSEGV', asked: false, reason: null };
  const entries = [spawn(0, 's1'), crash, spawn(60, 's2', 's1'), ended(70, 's2')];
  expect(judge(entries, { plan: plan() }).violations[0]?.message).toBe('s1 died of its own error at 0.050 s: SIGSEGV, no reason given');
});

test('kills one after the other are each timed to the first new event of another', () => {
  const entries = [
    spawn(0, 's1'),
    lock(1, 'acquired', 's1', 1),
    event(10, 'a', 'l:1', 's1', 1),
    killed(20, 's1', 29_000),
    died(20, 's1'),
    spawn(20, 's2', 's1'),
    lock(29_100, 'acquired', 's2', 2),
    killed(29_200, 's2', 29_900),
    died(29_200, 's2'),
    spawn(29_200, 's3', 's2'),
    event(29_250, 'a', 'l:9', 's3', 3),
    lock(59_100, 'acquired', 's3', 3),
    event(59_200, 'b', 'l:2', 's3', 3),
    ended(59_300, 's3'),
  ];
  expect(judge(entries, { plan: plan() }).kills).toMatchObject([
    { session: 's1', takeover_ms: 29_080, recovery_ms: 59_180, progress_ms: 30_100, ttl_floor_ms: 29_000 },
    { session: 's2', takeover_ms: 29_900, recovery_ms: 30_000, progress_ms: 100, ttl_floor_ms: 29_900 },
  ]);
});

test.each([
  ['a successor that did not wait for the lease', 100, 29_000, { takeover_ms: 100, ttl_floor_ms: 0 }],
  ['a lease that never expires', 40_000, null, { takeover_ms: 40_000, ttl_floor_ms: 0 }],
])('%s has no TTL floor', (_, after_ms, left_ms, expected) => {
  const entries = [
    spawn(0, 's1'),
    lock(1, 'acquired', 's1', 1),
    killed(20, 's1', left_ms, true),
    died(20, 's1'),
    spawn(20, 's2', 's1'),
    lock(20 + after_ms, 'acquired', 's2', 2),
    event(90_000, 'b', 'l:2', 's2', 2),
    ended(90_001, 's2'),
  ];
  expect(judge(entries, { plan: plan() }).kills).toMatchObject([expected]);
});

test('a recovery that never came is censored, and its wait counts as far as the lease went', () => {
  const entries = [spawn(0, 's1'), lock(1, 'acquired', 's1', 1), killed(20, 's1', 29_000), died(20, 's1'), spawn(20, 's2', 's1')];
  const { kills } = judge([...entries, { type: 'given-up', t_ms: 10_020, why: 'deadline' }], { plan: plan() });
  expect(kills).toMatchObject([{ takeover_ms: null, progress_ms: null, recovery_ms: null, censored_ms: 10_001, ttl_floor_ms: 10_001 }]);
});

test('a kill while a living session holds the lock takes nothing over', () => {
  const entries = [
    spawn(0, 's1'),
    spawn(0, 's2'),
    lock(1, 'acquired', 's1', 1),
    killed(20, 's2'),
    died(20, 's2'),
    event(500, 'a', 'l:1', 's1', 1),
    ended(600, 's1'),
  ];
  expect(judge(entries, { plan: plan() }).kills).toMatchObject([
    { takeover_ms: 0, progress_ms: 480, recovery_ms: 480, left_lock_behind: false, ttl_floor_ms: 0 },
  ]);
});
