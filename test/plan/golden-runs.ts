import type { Window } from '../../src/plan/plan.ts';
import type { Golden, GoldenOperation } from '../../src/plan/scenario.ts';

const operation = (kind: string, path: string, bytes: number | null, ...windows: Window[]): GoldenOperation => ({
  kind,
  path,
  bytes,
  changes: !['stat', 'read', 'readdir'].includes(kind),
  events: kind === 'write' && path === 'events.jsonl' ? 1 : 0,
  windows,
});

/** As if a small kernel had been numbered: it takes a lock, writes four events and a sidecar each, renews now and then, and releases. */
export const NUMBERED: Golden = {
  numbering: 'operations',
  duration_ms: 4_200,
  ttl_ms: 3_000,
  events: 4,
  points: [{ name: 'lock.acquired', count: 1 }],
  windows_ms: { idle: 2, acquiring: 1.5, holding: 4_190, writing: 9, renewing: 4, releasing: 1 },
  operations: [
    operation('readdir', '.', null, 'idle'),
    operation('stat', 'lock', null, 'acquiring'),
    operation('mkdir', 'lock', null, 'acquiring'),
    ...Array.from({ length: 4 }, (_, i): GoldenOperation[] => [
      operation('read', 'lock/token', null, 'holding'),
      operation('write', 'events.jsonl', 80, 'holding', 'writing'),
      operation('fsync', 'events.jsonl', null, 'holding', 'writing'),
      operation('write', `sidecars/${i + 1}.json.tmp`, 400, 'holding', 'writing'),
      operation('rename', `sidecars/${i + 1}.json.tmp`, null, 'holding', 'writing'),
      operation('write', 'lock/expires', 13, 'holding', 'renewing'),
    ]).flat(),
    operation('unlink', 'lock/token', null, 'holding', 'releasing'),
    operation('rmdir', 'lock', null, 'releasing'),
  ],
};

/** The same kernel as a real clock shows it. */
export const CLOCKED: Golden = {
  ...NUMBERED,
  numbering: 'clock',
  duration_ms: 4_371,
  windows_ms: { acquiring: 142, holding: 4_220 },
  operations: [],
};
