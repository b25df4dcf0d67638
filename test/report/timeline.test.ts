import { expect, test } from 'vitest';
import type { Entry } from '../../src/history/history.ts';
import { plain } from '../../src/report/paint.ts';
import { timeline } from '../../src/report/timeline/timeline.ts';
import { robbed, theft, theftViolations } from './theft.ts';

test('a theft, told', () => {
  expect(timeline(theft, theftViolations, plain)).toMatchInlineSnapshot(`
    "toy/pause-past-lease/toy@1/without-fencing/1000
    sim, TTL 30.0 s
    plan  s1@write(ledger.jsonl)#2:pause=45s
    │ runs  ┃ holds the lock  ┊ paused  ○ starts  ● ends  ✗ killed  ‖ pauses  • step  · details  ▶ proof

          0.000 s  │○     s1 starts (pid 101 on h1)
          0.001 s  │•     s1 mkdir lock
          0.001 s  ┃•     s1 acquires the lock (token 1, until 30.001 s)
          0.002 s  ┃·     s1 write ledger.jsonl
          0.002 s  ┃•     s1 writes event e1 (ledger.jsonl:1, token 1)
          1.000 s  ┃•     s1 utimes lock
          1.000 s  ┃·     s1 renews the lock ×2, utimes lock in 1.00 s
          2.500 s  ┃•     fault 1 lands while holding and writing at write ledger.jsonl: s1@write(ledger.jsonl)#2:pause=45s
          2.500 s  ┊‖     s1 is paused
          2.501 s  ┊  │○  s2 starts (pid 102 on h1)
          2.600 s  ┊  │·  s2 mkdir lock fails with EEXIST ×300 in 29.9 s
         32.700 s  ┊  │•  s2 rmdir lock
         32.701 s  ┊  │•  s2 mkdir lock
         32.701 s  ┊  ┃•  s2 acquires the lock (token 2, until 62.701 s)
         47.500 s  │• ┃   s1 goes on
         47.501 s  │• ┃   s1 write ledger.jsonl, 40 bytes
    ▶    47.501 s  │• ┃   s1 writes event e2 (ledger.jsonl:2, token 1)  ← no-write-after-theft
         47.502 s   ● ┃   s1 exits with 0
         47.600 s      ✗  s2 is killed while holding, leaving the lock behind with 15.1 s of its lease left
         47.601 s         at the end: 0 events, 0 units of work

    In words
      At 0.001 s s1 acquires the lock (token 1, until 30.001 s).
      At 2.500 s s1 is paused while it holds the lock, at write ledger.jsonl.
      At 32.701 s s2 acquires the lock (token 2, until 62.701 s) while s1 is paused.
      At 47.500 s s1 goes on after 45.0 s, though s2 holds the lock with token 2.
      At 47.501 s s1 writes event e2 (ledger.jsonl:2, token 1), though s2 holds the lock with token 2.
      At 47.600 s s2 is killed while holding, leaving the lock behind with 15.1 s of its lease left.
      That breaks no-write-after-theft: s1 wrote event e2 (ledger.jsonl:2) at 47.501 s under token 1;
        s2 has held the lock with token 2 since 32.701 s
    "
  `);
});

test('what a violation names is told even when it is a detail', () => {
  const poll = theft.entries.findIndex((entry) => entry.type === 'operation' && entry.error === 'EEXIST');
  const violations = theftViolations.map((violation) => ({ ...violation, entries: [poll + 7] }));
  expect(timeline(theft, violations, plain)).toMatch(/▶.* 3\.300 s .*s2 mkdir lock fails with EEXIST {2}← no-write-after-theft/);
});

test('what a session does between the blow and its death is not folded away, and reads around it are', () => {
  const text = timeline(robbed, [], plain);
  expect(text.slice(text.indexOf('the harness steals'))).toMatchInlineSnapshot(`
    "the harness steals the lock (token 2, until 30.002 s)
          0.002 s  ║•  fault 1 lands while holding at readdir lock: s1@op#2:steal
          1.000 s  ║·  s1 readdir lock ×4, fsync work.tmp in 2.00 s
          1.000 s  ║•  s1 write work.tmp, 60 bytes
          1.000 s  ║•  s1 stat renew fails with ENOENT
          2.000 s  ║•  s1 write work.tmp, 61 bytes
          2.000 s  ║•  s1 stat renew fails with ENOENT
          3.000 s  ║•  s1 write work.tmp, 62 bytes
          3.000 s  ║•  s1 stat renew fails with ENOENT
          3.003 s  ║•  s1 rename work.tmp → work.json fails with ENOENT
          3.004 s   ●  s1 exits with 1

    In words
      At 0.001 s s1 acquires the lock (token 1, until 30.001 s).
      At 0.002 s the harness steals the lock (token 2, until 30.002 s).
      From 1.000 s on s1 does: write work.tmp ×3, stat renew fails with ENOENT ×3; and last, at 3.003
        s, rename work.tmp → work.json fails with ENOENT.
      At 3.004 s s1 exits with 1.
    "
  `);
});

test('who was robbed does not hold the lock, whatever it says; the legend has the signs that occur', () => {
  const text = timeline(robbed, [], plain);
  expect(text).toMatch(/┃• {2}s1 says enter/);
  expect(text).toMatch(/║ {3}the harness steals/);
  expect(text).not.toMatch(/┃.*write work/);
  expect(text.split('\n')[3]).toMatchInlineSnapshot(`"│ runs  ┃ holds the lock  ║ only says so  ○ starts  ● ends  • step  · details"`);
});

test('of a session that comes through and breaks nothing only what fails has lines of its own', () => {
  const entries = robbed.entries.filter(({ type }) => type !== 'fault' && type !== 'lock');
  const text = timeline({ ...robbed, entries: entries.map((entry) => (entry.type === 'end' ? { ...entry, code: 0 } : entry)) }, [], plain);
  expect(text.slice(text.indexOf('s1 mkdir'), text.indexOf('In words'))).toMatchInlineSnapshot(`
    "s1 mkdir lock
          0.001 s  ║•  s1 says enter 1
          1.000 s  ║·  s1 readdir lock ×4, write work.tmp ×3, fsync work.tmp in 2.00 s
          1.000 s  ║·  s1 stat renew fails with ENOENT ×3 in 2.00 s
          3.003 s  ║·  s1 rename work.tmp → work.json fails with ENOENT
          3.004 s   ●  s1 exits with 0

    "
  `);
});

test('of very many deeds the first and the last have lines of their own', () => {
  const at = robbed.entries.findIndex((entry) => entry.type === 'operation' && entry.kind === 'write');
  const write = robbed.entries[at] as Entry;
  const entries = robbed.entries.toSpliced(at, 0, ...Array.from({ length: 300 }, () => write));
  const text = timeline({ ...robbed, entries }, [], plain);
  expect(text.match(/s1 write work.tmp, 60 bytes$/gm)?.length).toBeLessThan(80);
  expect(text).toMatch(/write work.tmp ×2\d\d/);
  expect(text).toMatch(/• {2}s1 rename work.tmp → work.json fails with ENOENT/);
});

const acquired = (t_ms: number, session: string, token: number, expires_ms: number): Entry => ({
  t_ms,
  type: 'lock',
  change: 'acquired',
  session,
  token,
  expires_ms,
});

test('a session that does nothing does not acquire', () => {
  const at = theft.entries.findIndex((entry) => entry.type === 'lock' && entry.session === 's2');
  const entries = theft.entries.toSpliced(at, 1, acquired(32_701, 's1', 1, 32_700));
  expect(timeline({ ...theft, entries }, [], plain)).toContain(
    'At 32.701 s the lock is now that of s1, which is paused (token 1, until 32.700 s, over already).',
  );
  const killed: Entry = { t_ms: 2500, type: 'end', session: 's1', code: null, signal: 'SIGKILL', asked: true, reason: null };
  const dead = entries.filter(({ type }) => type !== 'continued').map((entry) => (entry.type === 'paused' ? killed : entry));
  expect(timeline({ ...theft, entries: dead }, [], plain)).toMatch(/32\.701 s .*the lock is now that of s1, which is dead/);
});

test('who renews over a stolen lock writes itself over it, unless the lease of the thief is over', () => {
  const at = robbed.entries.findIndex(({ t_ms }) => t_ms === 2000);
  const again = (t_ms: number) =>
    timeline(
      { ...robbed, entries: robbed.entries.toSpliced(at, Number.POSITIVE_INFINITY, acquired(t_ms, 's1', 1, t_ms + 30_000)) },
      [],
      plain,
    );
  expect(again(2000)).toContain("At 2.000 s s1 writes itself over the thief's lock (token 1, until 32.000 s).");
  expect(again(30_002)).toContain('At 30.002 s s1 acquires the lock (token 1, until 60.002 s).');
});
