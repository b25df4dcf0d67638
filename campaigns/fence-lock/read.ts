import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateReading } from '../../src/history/history.ts';
import type { LockSite } from '../../src/locks/lock.ts';

/** The events of the run, in order of their number. */
export function readRun({ state }: Pick<LockSite, 'state'>): StateReading {
  const reading: StateReading = { events: [], work: [], unreadable: [], debris: [] };
  for (const name of readdirSync(join(state, 'events')).sort()) {
    const ref = `events/${name}`;
    try {
      const { fact, session } = JSON.parse(readFileSync(join(state, ref), 'utf8'));
      reading.events.push({ id: fact, ref, session });
    } catch (error) {
      reading.unreadable.push({ path: ref, why: (error as Error).message });
    }
  }
  return reading;
}
