import { expect, test } from 'vitest';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { openTurns } from '../../../src/driver/live/turns.ts';
import type { Happening } from '../../../src/driver/world.ts';
import type { Entry, EntryOf } from '../../../src/history/history.ts';
import { parsePlan } from '../../../src/plan/parse.ts';

/*
 * Real processes on the real clock, over a real package. Where a plan has places at operations, they are as exact as under sim.
 */

test('the bytes of an operation are those that were told before it, where it was told, as under sim', () => {
  const happenings: Happening[] = [];
  const turns = openTurns((happening) => happenings.push(happening));
  const session = { name: 's1', paused: false, answer: () => {}, over: new Promise(() => {}) };
  const about = { path: 'f', lock: false };
  turns.heard(session, { type: 'operation', kind: 'write', bytes: 10, changes: true, ...about });
  turns.heard(session, { type: 'done', done: { bytes: 14 } });
  turns.heard(session, { type: 'operation', kind: 'read', changes: false, ...about });
  turns.heard(session, { type: 'done', done: { bytes: 7 } });
  expect(happenings.filter(({ type }) => type === 'after')).toMatchObject([{ operation: { bytes: 10 } }, { operation: { bytes: 7 } }]);
});

const timing = { ttl_ms: 2_000, recovers_within_ms: 30_000, deadline_ms: 90_000 };

async function trialsOf(...plans: string[]) {
  const loaded = await loadCampaign('proper-lockfile');
  const campaign = { ...loaded, campaign: { ...loaded.campaign, timing: { live: timing } } };
  return withBench({ campaign, driver: 'live', variants: [] }, (bench) =>
    Promise.all(
      plans.map((plan) => bench.run({ subject: 'proper-lockfile@4.1.2', variant: null, scenario: 'no-faults', seed: 1 }, parsePlan(plan))),
    ),
  );
}

const isOf = (entry: Entry, session: string): entry is EntryOf<'event'> & { t_ms: number } =>
  entry.type === 'event' && entry.session === session;

test('a kill lands before or after the very operation, whoever else is at work', async () => {
  const trials = await trialsOf('s1@write(ledger)#2:kill', 's1@write(ledger)#2+:kill', 'cast=2  holder@write(ledger)#2:kill');
  for (const [index, { record, history }] of trials.entries()) {
    expect(record).toMatchObject({ verdict: 'held', numbering: 'operations' });
    expect(record.landed).toMatchObject([{ state: 'delivered', operation: 'write ledger', windows: expect.arrayContaining(['holding']) }]);
    const killed = history.entries.find((entry) => entry.type === 'killed')?.session as string;
    expect(history.entries.filter((entry) => isOf(entry, killed))).toHaveLength(index === 1 ? 2 : 1);
  }
});

test('a write is torn: so many bytes of it are there, and the session is killed', async () => {
  const [trial] = await trialsOf('s1@write(ledger)#2:tear=3');
  expect(trial?.record.landed).toMatchObject([{ state: 'delivered', operation: 'write ledger' }]);
  expect(trial?.record.kills).toMatchObject([{ session: 's1' }]);
  // The next one finds a line that has no end, and ends it before it writes its own.
  const ends = trial?.history.entries.filter((entry) => entry.type === 'operation' && entry.kind === 'write' && entry.bytes === 1);
  expect(ends).toMatchObject([{ session: 's2', path: 'ledger' }]);
  expect(trial?.record.verdict).toBe('held');
});

test('a session sleeps before its operation until another has got so far, which meanwhile gets everything done', async () => {
  const [trial] = await trialsOf('s1@mkdir(ledger.lock)#1:pause=until:s2@event#2  s1@mkdir(ledger.lock)#1:rival');
  expect(trial?.record).toMatchObject({ verdict: 'held', landed: [{ state: 'delivered' }, { state: 'delivered' }] });
  const entries = trial?.history.entries ?? [];
  const awake = entries.findIndex((entry) => entry.type === 'continued' && entry.session === 's1');
  const first = entries.findIndex((entry) => entry.type === 'operation' && entry.kind === 'mkdir' && entry.session === 's1');
  expect(entries.slice(0, awake).filter((entry) => isOf(entry, 's2'))).toHaveLength(2);
  expect(first).toBeGreaterThan(awake);
  // Who holds a lock that names nobody is known from who was seen to make it.
  expect(
    entries.filter((entry) => entry.type === 'lock' && entry.change === 'acquired').map((entry) => 'session' in entry && entry.session),
  ).toEqual(['s2', 's1']);
});
