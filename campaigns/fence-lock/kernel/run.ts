import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FenceLock, type FenceLockOptions, say } from './fence-lock.ts';

/** Who drives the run, and until when nobody else may. */
export interface Lease {
  session: string;
  until_ms: number;
}

/** A run as a writer knows it. */
export interface Held {
  /** How many events it has. */
  count: number;
  lease: Lease | null;
  facts: ReadonlySet<string>;
}

/** A write to the disk takes so long: it is a slow one, so that a real clock hits what lies between two writes. */
const DISK_MS = 100;

/**
 * A run's events, `events/<n>.json`, and its count file, which has their number and the session lease.
 *
 * An event is written in band: under the fence lock, and only if the run still has the count that the writer holds, so that of writers that hold the same count
 * one is accepted. An event is there as soon as its file has its name. Who is killed before it is in the count file is counted by the next one.
 */
export function openRun(state: string, session: string, makeLock: FenceLock, options: Pick<FenceLockOptions, 'stale_ms' | 'onLost'>) {
  const lock = makeLock({ ...options, session, file: join(state, '.locks/runs/run-1.in-band') });
  const countFile = join(state, 'run-1.json');
  const eventFile = (n: number) => join(state, 'events', `${String(n).padStart(6, '0')}.json`);
  const facts: string[] = [];

  function readCount(): { count: number; lease: Lease | null } {
    const stored = existsSync(countFile) ? JSON.parse(readFileSync(countFile, 'utf8')) : { count: 0, lease: null };
    // #component counts-the-killed
    while (existsSync(eventFile(stored.count + 1))) stored.count += 1;
    // #end
    return stored;
  }

  /** Under its final name a file is whole. */
  function publish(path: string, content: object): void {
    const temporary = join(state, 'tmp', session);
    writeFileSync(temporary, JSON.stringify(content));
    renameSync(temporary, path);
  }

  return {
    read(): Held {
      const { count, lease } = readCount();
      while (facts.length < count) facts.push(JSON.parse(readFileSync(eventFile(facts.length + 1), 'utf8')).fact);
      return { count, lease, facts: new Set(facts) };
    },

    /**
     * Writes the event that follows on those that the writer knows, unless somebody was there before. `lease` says what becomes of the session lease;
     * undefined: it is not as the writer needs it. Whoever was refused reads again and sees for itself what is left to do.
     */
    async write(fact: string, held: Held, nextLease: (lease: Lease | null) => Lease | null | undefined): Promise<void> {
      let release = async () => {};
      // #component fence
      release = await lock.acquire();
      // #end
      say('enter');
      const { count, lease } = readCount();
      const next = nextLease(lease);
      const isAccepted = count === held.count && next !== undefined;
      if (isAccepted) {
        say('point in-band.checked');
        await sleep(DISK_MS);
        publish(eventFile(count + 1), { fact, session });
        say('point in-band.published');
        await sleep(DISK_MS);
        publish(countFile, { count: count + 1, lease: next });
      }
      say('exit');
      if (isAccepted) say('point in-band.counted');
      await release();
      if (isAccepted) say(`ack ${fact}`);
    },
  };
}
