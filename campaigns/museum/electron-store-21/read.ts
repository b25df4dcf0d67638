import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateReading } from '../../../src/history/history.ts';
import type { LockSite } from '../../../src/locks/lock.ts';

/** The settings as conf itself reads them: a file that is no JSON has none. */
export function readSettings({ state }: Pick<LockSite, 'state'>): StateReading {
  const events = settingsIn(join(state, 'config.json')).map(([name, value]) => ({ id: `${name}=${value}`, ref: `config.json ${name}` }));
  return { events, work: [], unreadable: [], debris: [] };
}

function settingsIn(file: string): [string, string | number][] {
  try {
    return Object.entries(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}
