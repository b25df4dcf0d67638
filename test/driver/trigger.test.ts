import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arm, dueAt, isReached, type Moment, type View } from '../../src/driver/trigger.ts';
import type { Operation } from '../../src/history/history.ts';
import type { Place, Window } from '../../src/plan/plan.ts';

function viewAt(now_ms: number, more: Partial<View> = {}): View {
  return { now_ms, holder: null, spawned_ms: new Map(), windowsOf: () => ['idle'], windowLength: () => 0, ...more };
}

function operation(kind: string, path: string): Operation {
  return { n: 1, kind, path, changes: true, lock: false };
}

function before(session: string, kind: string, path: string, holder: string | null = null): Moment {
  return { type: 'operation', edge: 'before', session, operation: operation(kind, path), holder };
}

/** At which of the moments, counted from 1, a place is reached. */
function reachedAt(place: Place, moments: Moment[], view = viewAt(0)): number[] {
  const trigger = arm(place, 0);
  return moments.flatMap((moment, i) => (isReached(trigger, moment, view) ? [i + 1] : []));
}

describe('an operation', () => {
  const moments = [
    before('s1', 'open', 'ledger/1.jsonl'),
    before('s2', 'write', 'ledger/1.jsonl'),
    before('s1', 'write', 'ledger/1.jsonl'),
    before('s1', 'write', '.hidden.tmp'),
    before('s1', 'write', 'ledger/2.jsonl'),
  ];

  it.each([
    ['the n-th of the session', {}, 4, [5]],
    ['of a kind', { kind: 'write' }, 3, [5]],
    ['on a path whose last part matches', { kind: 'write', path: '*.jsonl' }, 2, [5]],
    ['on a whole path', { path: 'ledger/1.*' }, 2, [3]],
    ['on a hidden file', { path: '*.tmp' }, 1, [4]],
    ['that never comes', { kind: 'rename' }, 1, []],
  ])('%s', (_, which, n, at) => {
    expect(reachedAt({ at: 'operation', session: 's1', n, edge: 'before', ...which }, moments)).toEqual(at);
  });

  it('is not reached on its other edge', () => {
    expect(reachedAt({ at: 'operation', session: 's1', n: 1, edge: 'after' }, moments)).toEqual([]);
  });

  it('of the holder counts whoever held the lock when it began', () => {
    const of = (edge: 'before' | 'after') =>
      (['mkdir', 'write', 'rmdir'] as const).map(
        (kind, i): Moment => ({ ...before('s2', kind, 'lock', i === 0 ? null : 's2'), edge }) as Moment,
      );
    for (const edge of ['before', 'after'] as const) {
      expect(reachedAt({ at: 'operation', session: 'holder', n: 1, edge }, of(edge), viewAt(0, { holder: 's2' }))).toEqual([2]);
      expect(reachedAt({ at: 'operation', session: 'holder', n: 2, edge }, of(edge), viewAt(0, { holder: null }))).toEqual([3]);
    }
  });
});

describe('an entry', () => {
  const said = (session: string, text: string): Moment => ({
    type: 'entry',
    entry: { t_ms: 0, type: 'said', session, say: 'point', text },
  });
  const event = (session: string | null): Moment => ({
    type: 'entry',
    entry: { t_ms: 0, type: 'event', id: 'x', ref: 'x:1', session, token: null },
  });

  it('is the n-th of that name', () => {
    expect(reachedAt({ at: 'point', name: 'b', n: 2 }, [said('s1', 'b'), said('s1', 'a'), said('s2', 'b'), said('s1', 'b')])).toEqual([3]);
  });

  it('counts only the session’s own when there is one', () => {
    const moments = [event('s1'), event(null), event('s2'), event('s2')];
    expect(reachedAt({ at: 'event', session: 's2', n: 2 }, moments)).toEqual([4]);
    expect(reachedAt({ at: 'event', n: 2 }, moments)).toEqual([2]);
  });
});

describe('a time', () => {
  const due = (place: Place, armed_ms: number, view: View) => dueAt(arm(place, armed_ms), view);

  it('is counted from the start, the session’s spawn or the last fault', () => {
    const view = viewAt(0, { spawned_ms: new Map([['s2', 70]]) });
    expect(due({ at: 'time', ms: 30, since: 'start' }, 5, view)).toBe(30);
    expect(due({ at: 'time', session: 's2', ms: 30, since: 'start' }, 5, view)).toBe(100);
    expect(due({ at: 'time', session: 's3', ms: 30, since: 'start' }, 5, view)).toBe(null);
    expect(due({ at: 'time', ms: 30, since: 'last-fault' }, 5, view)).toBe(35);
  });

  it('is reached by a clock that counts whole microseconds', () => {
    const us = fc.integer({ min: 0, max: 1e12 });
    fc.assert(
      fc.property(us, us, (armed_us, ms_us) => {
        const due_ms = due({ at: 'time', ms: ms_us / 1000, since: 'last-fault' }, armed_us / 1000, viewAt(0)) ?? Number.NaN;
        expect(Math.ceil(due_ms * 1000) / 1000).toBeGreaterThanOrEqual(due_ms);
        expect(due_ms).toBe((armed_us + ms_us) / 1000);
      }),
    );
  });
});

describe('a window', () => {
  it('is due a share of its golden length after the session enters it, and counts anew when it is left', () => {
    let windows: Window[] = ['acquiring'];
    const view = (now_ms: number) => viewAt(now_ms, { windowsOf: () => windows, windowLength: () => 1000 });
    const trigger = arm({ at: 'window', session: 's1', window: 'holding', fraction: 0.4 }, 0);
    expect(dueAt(trigger, view(10))).toBe(null);
    windows = ['holding', 'writing'];
    expect(dueAt(trigger, view(100))).toBe(500);
    expect(isReached(trigger, { type: 'time' }, view(499))).toBe(false);
    windows = ['idle'];
    expect(dueAt(trigger, view(499))).toBe(null);
    windows = ['holding'];
    expect(dueAt(trigger, view(600))).toBe(1000);
    expect(isReached(trigger, { type: 'time' }, view(1000))).toBe(true);
  });
});
