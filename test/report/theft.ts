import type { Entry, History, Operation } from '../../src/history/history.ts';
import type { Violation } from '../../src/history/record.ts';

/** Kinds that change nothing. */
const READS = ['stat', 'readdir', 'fsync'];

const operation = (t_ms: number, session: string, n: number, kind: string, path: string, more: Partial<Operation> = {}): Entry => ({
  t_ms,
  type: 'operation',
  session,
  n,
  kind,
  path,
  changes: !READS.includes(kind),
  lock: path === 'lock',
  ...more,
});

/** A holder is paused past its lease; a rival takes over; the holder wakes and writes. */
export const theft: History = {
  trial: {
    schema: 'crash-campaign/history@1',
    id: 'toy/pause-past-lease/toy@1/without-fencing/1000',
    campaign: 'toy',
    subject: 'toy@1',
    variant: 'without-fencing',
    scenario: 'pause-past-lease',
    seed: 1000,
    driver: 'sim',
    plan: 's1@write(ledger.jsonl)#2:pause=45s',
    ttl_ms: 30_000,
    deadline_ms: 120_000,
    recovers_within_ms: 35_000,
    robbed_reason: 'lock-stolen-mid-run',
    allowed_reasons: [],
    epoch_ms: 0,
  },
  entries: [
    { t_ms: 0, type: 'spawn', session: 's1', pid: 101, host: 'h1', subject: 'toy@1', replaces: null },
    operation(1, 's1', 1, 'mkdir', 'lock'),
    { t_ms: 1, type: 'lock', change: 'acquired', session: 's1', token: 1, expires_ms: 30_001 },
    operation(2, 's1', 2, 'write', 'ledger.jsonl', { bytes: 40 }),
    { t_ms: 2, type: 'event', id: 'e1', ref: 'ledger.jsonl:1', session: 's1', token: 1 },
    operation(1000, 's1', 3, 'utimes', 'lock'),
    { t_ms: 1000, type: 'lock', change: 'renewed', session: 's1', token: 1, expires_ms: 31_000 },
    operation(2000, 's1', 4, 'utimes', 'lock'),
    { t_ms: 2000, type: 'lock', change: 'renewed', session: 's1', token: 1, expires_ms: 32_000 },
    {
      t_ms: 2500,
      type: 'fault',
      step: 0,
      fault: 's1@write(ledger.jsonl)#2:pause=45s',
      phase: 'delivered',
      session: 's1',
      windows: ['holding', 'writing'],
      operation: 'write ledger.jsonl',
    },
    { t_ms: 2500, type: 'paused', session: 's1' },
    { t_ms: 2501, type: 'spawn', session: 's2', pid: 102, host: 'h1', subject: 'toy@1', replaces: null },
    ...Array.from({ length: 300 }, (_, index) => operation(2600 + index * 100, 's2', index + 1, 'mkdir', 'lock', { error: 'EEXIST' })),
    operation(32_700, 's2', 301, 'rmdir', 'lock'),
    operation(32_701, 's2', 302, 'mkdir', 'lock'),
    { t_ms: 32_701, type: 'lock', change: 'acquired', session: 's2', token: 2, expires_ms: 62_701 },
    { t_ms: 47_500, type: 'continued', session: 's1' },
    operation(47_501, 's1', 5, 'write', 'ledger.jsonl', { bytes: 40 }),
    { t_ms: 47_501, type: 'event', id: 'e2', ref: 'ledger.jsonl:2', session: 's1', token: 1 },
    { t_ms: 47_502, type: 'end', session: 's1', code: 0, signal: null, asked: false, reason: null },
    { t_ms: 47_600, type: 'killed', session: 's2', windows: ['holding'], held_lock: true, lease_left_ms: 15_101 },
    { t_ms: 47_600, type: 'end', session: 's2', code: null, signal: 'SIGKILL', asked: true, reason: null },
    { t_ms: 47_601, type: 'final', events: [], work: [], unreadable: [], debris: [] },
  ],
};

export const theftViolations: Violation[] = [
  {
    invariant: 'no-write-after-theft',
    message: 's1 wrote event e2 (ledger.jsonl:2) at 47.501 s under token 1; s2 has held the lock with token 2 since 32.701 s',
    sessions: ['s1', 's2'],
    entries: [theft.entries.findIndex((entry) => entry.type === 'event' && entry.id === 'e2')],
  },
];

/** A holder is robbed by the harness, goes on with its work, and dies of what the theft took away. Without the theft, and with code 0: what others do. */
export const robbed: History = {
  trial: { ...theft.trial, id: 'toy/steal-lock/toy@1/-/1000', variant: null, scenario: 'steal-lock', plan: 's1@op#2:steal' },
  entries: [
    { t_ms: 0, type: 'spawn', session: 's1', pid: 101, host: 'h1', subject: 'toy@1', replaces: null },
    operation(1, 's1', 1, 'mkdir', 'lock'),
    { t_ms: 1, type: 'lock', change: 'acquired', session: 's1', token: 1, expires_ms: 30_001 },
    { t_ms: 1, type: 'said', session: 's1', say: 'enter', text: '1' },
    { t_ms: 2, type: 'lock', change: 'stolen', session: null, token: 2, expires_ms: 30_002 },
    {
      t_ms: 2,
      type: 'fault',
      step: 0,
      fault: 's1@op#2:steal',
      phase: 'delivered',
      session: 's1',
      windows: ['holding'],
      operation: 'readdir lock',
    },
    ...[1000, 2000, 3000].flatMap((t_ms, i) => [
      operation(t_ms, 's1', 3 * i + 2, 'readdir', 'lock'),
      operation(t_ms, 's1', 3 * i + 3, 'write', 'work.tmp', { bytes: 60 + i }),
      operation(t_ms, 's1', 3 * i + 4, 'stat', 'renew', { error: 'ENOENT' }),
    ]),
    operation(3001, 's1', 11, 'fsync', 'work.tmp'),
    operation(3002, 's1', 12, 'readdir', 'lock'),
    operation(3003, 's1', 13, 'rename', 'work.tmp', { to: 'work.json', error: 'ENOENT' }),
    { t_ms: 3004, type: 'end', session: 's1', code: 1, signal: null, asked: false, reason: null },
  ],
};
