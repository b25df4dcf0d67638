import type { History, Operation } from '../history/history.ts';
import { factsIn } from '../history/sightings.ts';
import { openWindows } from '../history/windows.ts';
import type { LockAdapter } from '../locks/lock.ts';
import type { Window } from '../plan/plan.ts';
import type { Golden, GoldenOperation } from '../plan/scenario.ts';

/** Measures what random places are drawn from in the history of a fault-free run of one session. */
export function measureGolden(history: History, lock: LockAdapter): Golden {
  const windows = openWindows(history.trial.driver);
  const windows_ms: Partial<Record<Window, number>> = {};
  const operations: GoldenOperation[] = [];
  const points = new Map<string, number>();
  let last_ms = 0;
  for (const entry of history.entries) {
    for (const window of windows.of('s1')) windows_ms[window] = (windows_ms[window] ?? 0) + entry.t_ms - last_ms;
    last_ms = entry.t_ms;
    if (entry.type === 'operation') operations.push({ ...goldenOperation(entry), windows: windows.of('s1', pendingOf(entry, lock)) });
    if (entry.type === 'said' && entry.say === 'point') points.set(entry.text, (points.get(entry.text) ?? 0) + 1);
    const maker = operations.at(-1);
    if (entry.type === 'event' && maker) maker.events += 1;
    windows.observe(entry);
  }
  return {
    numbering: operations.length > 0 ? 'operations' : 'clock',
    duration_ms: last_ms,
    ttl_ms: history.trial.ttl_ms,
    events: factsIn(history).size,
    points: [...points].map(([name, count]) => ({ name, count })),
    windows_ms,
    operations,
  };
}

function goldenOperation({ kind, path, bytes, changes }: Operation): Omit<GoldenOperation, 'windows'> {
  return { kind, path, bytes: changes ? (bytes ?? null) : null, changes, events: 0 };
}

function pendingOf(operation: Operation, lock: LockAdapter) {
  return { ...operation, releasing: operation.lock && lock.releases?.(operation) === true };
}
