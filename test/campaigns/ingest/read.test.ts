import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import campaign from '../../../campaigns/ingest/campaign.ts';
import { readIngest } from '../../../campaigns/ingest/read.ts';
import { aState, runSession, TTL_MS, temporaryDirectory } from './a-state.ts';

let finished: string;

beforeAll(async () => {
  finished = mkdtempSync(join(tmpdir(), 'ingest-'));
  await campaign.setup?.({ state: finished, now_ms: 0, ttl_ms: TTL_MS, seed: 1 });
  await runSession(finished, 's1');
  return () => rmSync(finished, { recursive: true });
});

/** The state that a session left behind that did all the work alone. */
function aFinishedState(): string {
  const state = temporaryDirectory();
  cpSync(finished, state, { recursive: true });
  return state;
}

test('an empty state directory has nothing in it', async () => {
  expect(readIngest({ state: await aState() })).toEqual({ events: [], work: [], unreadable: [], debris: [] });
});

test('events name their place, token and session; ids leave the plan out', () => {
  const state = aFinishedState();
  const { events, work } = readIngest({ state });
  expect(events[1]).toEqual({ id: 'transcribed:1', ref: 'ledger/1.jsonl:2', token: 1, session: 's1' });
  expect(work[1]).toEqual({ unit: 'window.2', ref: 'transcription/2.1.json', token: 1 });
});

test('a torn line, and what stands behind it, is no event', () => {
  const state = aFinishedState();
  appendFileSync(join(state, 'ledger/1.jsonl'), '{"type":"transcr');
  expect(readIngest({ state }).events).toHaveLength(5);
  appendFileSync(join(state, 'ledger/1.jsonl'), '\n{"type":"completed","token":1}\n');
  expect(readIngest({ state }).events).toHaveLength(5);
});

test('what lies beyond a seal is no event, and a seal that is none makes its segment unreadable', () => {
  const state = aFinishedState();
  writeFileSync(join(state, 'ledger/1.seal'), '{"length":100}\n');
  expect(readIngest({ state }).events).toHaveLength(0);
  writeFileSync(join(state, 'ledger/1.seal'), '{"le');
  expect(readIngest({ state })).toMatchObject({ events: [], unreadable: [{ path: 'ledger/1.seal' }] });
});

test('a torn sidecar is unreadable and no finished work', () => {
  const state = aFinishedState();
  truncateSync(join(state, 'transcription/2.1.json'), 120);
  const { work, unreadable } = readIngest({ state });
  expect(work.map(({ unit }) => unit)).toEqual(['window.1', 'window.3']);
  expect(unreadable.map(({ path }) => path)).toEqual(['transcription/2.1.json']);
});

test('a sidecar without its chunk is no finished work, and an event that names it speaks of what is not there', () => {
  const state = aFinishedState();
  rmSync(join(state, 'media/2.1.wav'));
  const { work, unreadable } = readIngest({ state });
  expect(work.map(({ unit }) => unit)).toEqual(['window.1', 'window.3']);
  expect(unreadable).toEqual([{ path: 'media/2.1.wav', why: 'the ledger names it, and it is not there' }]);
});

test('a torn chunk is unreadable', () => {
  const state = aFinishedState();
  for (const length of [1_000, 43]) {
    truncateSync(join(state, 'media/2.1.wav'), length);
    expect(readIngest({ state }).unreadable).toEqual([{ path: 'media/2.1.wav', why: `no whole WAV file: ${length} bytes` }]);
  }
});

test('what no event names is debris', () => {
  const state = aFinishedState();
  writeFileSync(join(state, 'media/2.7.wav'), '');
  mkdirSync(join(state, 'work/7'));
  mkdirSync(join(state, 'work/8'));
  writeFileSync(join(state, 'work/8/2.json'), '');
  expect(readIngest({ state }).debris).toEqual(['media/2.7.wav', 'work/7', 'work/8/2.json']);
});
