import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateReading } from '../../../src/history/history.ts';
import type { LockSite } from '../../../src/locks/lock.ts';

/** The messages of a session file as pi itself reads them: a line that is no JSON is passed over. */
export function readSession({ state }: Pick<LockSite, 'state'>): StateReading {
  const lines = readFileSync(join(state, 'session.jsonl'), 'utf8').split('\n');
  const events = lines.flatMap((line, index) => idOf(line).map((id) => ({ id, ref: `session.jsonl:${index + 1}` })));
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
