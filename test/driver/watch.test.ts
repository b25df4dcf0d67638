import { describe, expect, it } from 'vitest';
import { type Observation, openWatch } from '../../src/driver/watch.ts';
import type { DurableEvent, FinishedWork, StateReading } from '../../src/history/history.ts';
import type { LockAdapter, LockState } from '../../src/locks/lock.ts';

/** A watch over a lock and a state that the test sets by hand. */
function watchOver() {
  let lock: LockState = { is: 'free' };
  let reading: StateReading = { events: [], work: [], unreadable: [], debris: [] };
  const observed: Observation[] = [];
  const dead = new Set<string>();
  const adapter = { inspect: () => lock } as unknown as LockAdapter;
  const watch = openWatch({
    lock: adapter,
    read: () => reading,
    site: () => ({ state: '/', now_ms: 1_000, ttl_ms: 100 }),
    epoch_ms: 1_000,
    sessionOf: ({ session }) => (session?.startsWith('s') ? session : null),
    isAlive: (session) => !dead.has(session),
    observe: (observation) => observed.push(observation),
  });
  return {
    watch,
    dead,
    held: (session: string | undefined, token: number | undefined, expires_at_ms: number) => {
      lock = { is: 'held', holder: { session }, token, expires_at_ms };
    },
    free: () => {
      lock = { is: 'free' };
    },
    read: (events: DurableEvent[], work: FinishedWork[] = []) => {
      reading = { ...reading, events, work };
    },
    told: () =>
      observed
        .splice(0)
        .map((entry) => ('change' in entry ? [entry.change, entry.session] : 'ref' in entry ? [entry.type, entry.ref] : [entry.type])),
  };
}

const event = (ref: string, session: string, token: number): DurableEvent => ({ id: ref, ref, session, token });

describe('the lock', () => {
  it('that names nobody is taken over where its holder is dead, and renewed where not', async () => {
    const { watch, dead, held, told } = watchOver();
    held(undefined, undefined, 1_100);
    await watch.look('s1');
    held(undefined, undefined, 1_200);
    await watch.look('s2');
    expect(told()).toEqual([
      ['acquired', 's1'],
      ['renewed', 's1'],
    ]);
    dead.add('s1');
    await watch.look('s2');
    expect(told()).toEqual([]);
    held(undefined, undefined, 1_300);
    await watch.look('s2');
    held(undefined, undefined, 1_400);
    await watch.look('s2');
    expect(told()).toEqual([
      ['acquired', 's2'],
      ['renewed', 's2'],
    ]);
  });

  it('is acquired, renewed, released and taken over', async () => {
    const { watch, held, free, told } = watchOver();
    held('s1', 1, 1_100);
    await watch.lookAtLock(null);
    await watch.lookAtLock(null);
    held('s1', 1, 1_150);
    await watch.lookAtLock(null);
    expect(watch.leaseLeft_ms()).toBe(150);
    held('s2', 2, 1_200);
    await watch.lookAtLock(null);
    free();
    await watch.lookAtLock(null);
    expect(told()).toEqual([
      ['acquired', 's1'],
      ['renewed', 's1'],
      ['acquired', 's2'],
      ['released', 's2'],
    ]);
    expect(watch.holder()).toBe(null);
  });

  it('that names nobody belongs to whoever was seen to make it', async () => {
    const { watch, held, told } = watchOver();
    held(undefined, undefined, 1_100);
    await watch.lookAtLock('s3');
    expect(told()).toEqual([['acquired', 's3']]);
  });

  it('that gets its holder’s name a moment after it is made has no other holder, and one that loses it to another has', async () => {
    const { watch, held, told } = watchOver();
    held(undefined, undefined, 1_100);
    await watch.lookAtLock('s1');
    held('s1', undefined, 1_101);
    await watch.lookAtLock('s1');
    held(undefined, undefined, 1_102);
    await watch.lookAtLock('s1');
    expect(told()).toEqual([
      ['acquired', 's1'],
      ['renewed', 's1'],
      ['renewed', 's1'],
    ]);
    held('s1', undefined, 1_103);
    await watch.lookAtLock('s1');
    held(undefined, undefined, 1_104);
    await watch.lookAtLock('s2');
    expect(told()).toEqual([
      ['renewed', 's1'],
      ['acquired', 's2'],
    ]);
  });

  it('that a thief holds is nobody’s', async () => {
    const { watch, held, told } = watchOver();
    held('s1', 1, 1_100);
    await watch.lookAtLock(null);
    held('thief', 2, 1_200);
    await watch.tampered('stolen');
    expect(told().at(-1)).toEqual(['stolen', null]);
    expect(watch.holder()).toBe(null);
  });
});

describe('one look at both', () => {
  it('shows what the former holder wrote before the takeover, and what its heir wrote after it', async () => {
    const { watch, held, read, told } = watchOver();
    held('s1', 1, 1_100);
    await watch.look(null);
    held('s2', 2, 1_200);
    read([event('a', 's1', 1), event('b', 's2', 2)]);
    await watch.look(null);
    expect(told()).toEqual([
      ['acquired', 's1'],
      ['event', 'a'],
      ['acquired', 's2'],
      ['event', 'b'],
    ]);
  });

  it('shows a late write after the takeover that an earlier look saw', async () => {
    const { watch, held, read, told } = watchOver();
    held('s2', 2, 1_200);
    await watch.look(null);
    read([event('a', 's1', 1)]);
    await watch.look(null);
    expect(told()).toEqual([
      ['acquired', 's2'],
      ['event', 'a'],
    ]);
  });
});

describe('durable facts', () => {
  it('are told once, and again when they are lost', async () => {
    const { watch, read, told } = watchOver();
    read([event('a', 's1', 1), event('b', 's1', 1)]);
    await watch.lookAtState(null);
    await watch.lookAtState(null);
    read([event('b', 's1', 1)]);
    await watch.lookAtState(null);
    expect(told()).toEqual([
      ['event', 'a'],
      ['event', 'b'],
      ['event-lost', 'a'],
    ]);
  });

  it('are lost when another takes their place', async () => {
    const { watch, read, told } = watchOver();
    read([event('a', 's1', 1)]);
    await watch.lookAtState(null);
    read([{ ...event('a', 's2', 2), id: 'b' }]);
    await watch.lookAtState(null);
    expect(told()).toEqual([
      ['event', 'a'],
      ['event-lost', 'a'],
      ['event', 'a'],
    ]);
  });

  it('include work that another session does again under the same name', async () => {
    const { watch, read, told } = watchOver();
    const work = (session: string) => ({ unit: 'window.1', ref: '1.json', session });
    read([], [work('s1')]);
    await watch.lookAtState(null);
    read([], [work('s2')]);
    await watch.lookAtState(null);
    expect(told()).toEqual([
      ['work', '1.json'],
      ['work', '1.json'],
    ]);
  });
});
