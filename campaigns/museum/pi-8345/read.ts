import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateReading } from '../../../src/history/history.ts';
import type { LockSite } from '../../../src/locks/lock.ts';

/** The messages of all session files as pi itself reads them: a line that is no JSON is passed over. */
export function readSessions({ state }: Pick<LockSite, 'state'>): StateReading {
  const files = readdirSync(state).filter((name) => name.endsWith('.jsonl'));
  const events = files.toSorted().flatMap((file, nth) =>
    readFileSync(join(state, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => idOf(line).map((id) => ({ id, ref: `session ${nth + 1}:${index + 1}` }))),
  );
  return { events, work: [], unreadable: [], debris: [] };
}

function idOf(line: string): string[] {
  try {
    const { type, id } = JSON.parse(line);
    return type === 'message' ? [id] : [];
  } catch {
    return [];
  }
}
