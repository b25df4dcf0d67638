import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import campaign from '../../../campaigns/ingest/campaign.ts';
import { publishOnce } from '../../../campaigns/ingest/durable.ts';
import { openSegment, readLedger, seal } from '../../../campaigns/ingest/ledger.ts';
import { acquire, type Held, isTakeable, look } from '../../../campaigns/ingest/lock.ts';
import { readIngest } from '../../../campaigns/ingest/read.ts';
import { makeDirectories, removeWork, workDirectory } from '../../../campaigns/ingest/work.ts';
import { prepareKernel } from '../../../src/campaign/prepare.ts';
import { aState, KERNEL, runSession, TTL_MS, temporaryDirectory } from './a-state.ts';

const WHOLE = ['planned', 'transcribed:1', 'transcribed:2', 'transcribed:3', 'completed'];

function expectWhole(state: string) {
  const { events, work, unreadable, debris } = readIngest({ state });
  expect(events.map(({ id }) => id)).toEqual(WHOLE);
  expect(work.map(({ unit }) => unit)).toEqual(['window.1', 'window.2', 'window.3']);
  expect({ unreadable, debris }).toEqual({ unreadable: [], debris: [] });
}

describe('sessions', () => {
  test('one alone does all the work, once, and acknowledges each event', async () => {
    const state = await aState();
    const { code, lines } = await runSession(state, 's1');
    expect(code).toBe(0);
    expectWhole(state);
    expect(lines.filter((line) => line.startsWith('@crash ack'))).toEqual(WHOLE.map((id) => `@crash ack ${id}`));
    expect(lines).toContain('@crash enter 1');
  });

  test('one that finds the work done ends without taking the lock', async () => {
    const state = await aState();
    await runSession(state, 's1');
    expect(await runSession(state, 's2')).toEqual({ code: 0, signal: null, lines: [], errors: '' });
    expectWhole(state);
  });

  test.each([
    'point lock.acquired',
    'ack planned',
    'point window.1.extracted',
    'point window.2.written',
    'ack transcribed:3',
    'point completed',
  ])('killed at "%s", the next one takes the lock over and does the rest', async (killAt) => {
    const state = await aState();
    expect(await runSession(state, 's1', { killAt })).toMatchObject({ signal: 'SIGKILL' });
    const { code, lines } = await runSession(state, 's2');
    expect(code).toBe(0);
    expect(lines).toContain('@crash enter 2');
    expectWhole(state);
  });

  test('three at once do the work together, once', async () => {
    const state = await aState();
    // Long enough for none to lose its lease to a slow machine.
    const ended = await Promise.all(['s1', 's2', 's3'].map((session) => runSession(state, session, { ttlMs: 10_000 })));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expectWhole(state);
  });

  test('without a recording it says how it is called, and touches nothing', async () => {
    const state = temporaryDirectory();
    expect(await runSession(state, 's1')).toMatchObject({ code: 64, errors: expect.stringContaining('recording.wav') });
    expect(readdirSync(state)).toEqual([]);
  });
});

describe('variants', () => {
  test.each(campaign.variants ?? [])('$name differs from the kernel, and does its work when nothing happens to it', async (variant) => {
    const state = await aState();
    const { directory } = await prepareKernel({ campaign, file: KERNEL, subject: {}, variant, target: temporaryDirectory() });
    const files = ['kernel.ts', 'lock.ts'].map((name) => [
      readFileSync(join(directory, name), 'utf8'),
      readFileSync(join(KERNEL, '..', name), 'utf8'),
    ]);
    expect(files.some(([changed, original]) => changed !== original)).toBe(true);
    for (const [changed = '', original = ''] of files) expect(changed.split('\n')).toHaveLength(original.split('\n').length);
    const { code } = await runSession(state, 's1', { kernel: join(directory, 'kernel.ts') });
    expect(code).toBe(0);
    expect(readIngest({ state }).events.map(({ id }) => id)).toEqual(WHOLE);
  });
});

/** A holder in this process: what a session is between two of its operations. */
function take(state: string): Held {
  makeDirectories(state);
  const held = acquire(state, { ...look(state, TTL_MS), released: true }, TTL_MS);
  if (!held) throw new Error('another was faster');
  return held;
}

const PLANNED = { type: 'planned', plan_id: 'p', windows: 3 } as const;
const transcribed = (window: number) => ({ type: 'transcribed', plan_id: 'p', window, sidecar: 's', media: 'm' }) as const;

describe('the lock', () => {
  test('of two contenders that saw the same claim, one gets it', async () => {
    const state = await aState();
    take(state).release();
    const seen = look(state, TTL_MS);
    expect(acquire(state, seen, TTL_MS)?.token).toBe(2);
    expect(acquire(state, seen, TTL_MS)).toBeNull();
  });

  test('a contender that saw the lease run out loses to the holder that renews it first', async () => {
    const state = await aState();
    const holder = take(state);
    const seen = { ...look(state, TTL_MS), expires_at_ms: 0 };
    expect(isTakeable(seen)).toBe(true);
    expect(holder.renew()).toBe(true);
    expect(acquire(state, seen, TTL_MS)).toBeNull();
    expect(holder.isMine()).toBe(true);
  });

  test('a robbed holder can neither renew nor release', async () => {
    const state = await aState();
    const robbed = take(state);
    const thief = take(state);
    expect([robbed.isMine(), robbed.renew(), robbed.release()]).toEqual([false, false, false]);
    expect(thief.isMine()).toBe(true);
  });

  test('a claim that cannot be read is held until a TTL after it was touched', async () => {
    const state = await aState();
    take(state);
    writeFileSync(join(state, 'lock', '1.claim'), '{"tok');
    const seen = look(state, 1_000_000);
    expect(isTakeable(seen)).toBe(false);
    expect(isTakeable(look(state, -1_000_000))).toBe(true);
    expect(acquire(state, seen, TTL_MS)?.token).toBe(2);
  });

  test('a token that has written does not come again when its claim is lost', async () => {
    const state = await aState();
    openSegment(state, take(state).token)(PLANNED);
    renameSync(join(state, 'lock', '1.claim'), join(state, 'lost'));
    expect(take(state).token).toBe(2);
  });
});

describe('the fence', () => {
  test('what a holder appends after its successor has sealed its segment is not accepted', async () => {
    const state = await aState();
    const late = openSegment(state, take(state).token);
    late(PLANNED);
    const successor = openSegment(state, take(state).token);
    late(transcribed(1));
    successor(transcribed(1));
    const accepted = readLedger(state).map(({ type, token }) => `${type} ${token}`);
    expect(accepted).toEqual(['planned 1', 'transcribed 2']);
    expect(readIngest({ state }).events.map(({ ref }) => ref)).toEqual(['ledger/1.jsonl:1', 'ledger/2.jsonl:1']);
  });

  test('a token that had written nothing is shut out too', async () => {
    const state = await aState();
    const late = openSegment(state, take(state).token);
    take(state);
    late(PLANNED);
    expect(readLedger(state)).toEqual([]);
    expect(readIngest({ state }).events).toEqual([]);
  });

  test('a seal is written once: a slow successor with an older measure adopts it', async () => {
    const state = await aState();
    openSegment(state, take(state).token)(PLANNED);
    // Tokens 2 and 3 have both claimed; 3 comes first, and 2 measured when the segment was empty.
    for (const token of [2, 3]) mkdirSync(workDirectory(state, token));
    seal(state, 1, 3);
    expect(publishOnce(join(workDirectory(state, 2), '1.seal'), join(state, 'ledger', '1.seal'), '{"length":0}\n')).toBe(false);
    seal(state, 1, 2);
    expect(readLedger(state)).toHaveLength(1);
  });

  test('a torn last line is not part of the measure', async () => {
    const state = await aState();
    openSegment(state, take(state).token)(PLANNED);
    const segment = join(state, 'ledger', '1.jsonl');
    const whole = readFileSync(segment, 'utf8');
    writeFileSync(segment, `${whole}{"type":"trans`);
    take(state);
    expect(JSON.parse(readFileSync(join(state, 'ledger', '1.seal'), 'utf8'))).toEqual({ length: whole.length });
  });

  test('a sidecar that was ready before the takeover cannot get its final name after it', async () => {
    const state = await aState();
    const work = workDirectory(state, take(state).token);
    writeFileSync(join(work, '1.json'), '{}');
    take(state);
    expect(() => renameSync(join(work, '1.json'), join(state, 'transcription', '1.1.json'))).toThrow('ENOENT');
    expect(() => writeFileSync(join(work, '2.json'), '{}')).toThrow('ENOENT');
  });

  test('to take a directory away that is gone is no error', async () => {
    const state = await aState();
    makeDirectories(state);
    removeWork(state, 7);
    expect(existsSync(workDirectory(state, 7))).toBe(false);
  });
});
