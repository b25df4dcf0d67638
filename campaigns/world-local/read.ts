import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateReading } from '../../src/history/history.ts';

const REPEATED = new Set(['step_started', 'hook_conflict']);

interface Written {
  eventId: string;
  eventType: string;
  correlationId?: string;
  createdAt: string;
}

/**
 * The event log as the library's own readers have it: every `.json` in `events`, by position where ids are positions, else by time and id. A fact is an event's type and what it is about. A step
 * may be started, and a hook refused, more than once: each time is a fact of its own.
 */
export function readLog(dataDir: string): StateReading {
  const unreadable: StateReading['unreadable'] = [];
  const written: (Written & { ref: string })[] = [];
  for (const name of namesIn(join(dataDir, 'events')).filter((name) => name.endsWith('.json'))) {
    const ref = `events/${name.replace(/^wrun_\w+-/, '')}`;
    try {
      written.push({ ...(JSON.parse(readFileSync(join(dataDir, 'events', name), 'utf8')) as Written), ref });
    } catch {
      unreadable.push({ path: ref, why: 'it is no JSON' });
    }
  }
  const key = ({ eventId, createdAt }: Written) => (/^evnt_0{9}/.test(eventId) ? eventId : `${createdAt} ${eventId}`);
  const times = new Map<string, number>();
  const events = written
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(({ eventType, correlationId, ref }) => {
      const fact = [eventType, correlationId].filter((part) => part !== undefined).join(' ');
      if (!REPEATED.has(eventType)) return { id: fact, ref };
      const nth = (times.get(fact) ?? 0) + 1;
      times.set(fact, nth);
      return { id: nth === 1 ? fact : `${fact} again ${nth}`, ref };
    });
  return { events, work: [], unreadable, debris: [] };
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
