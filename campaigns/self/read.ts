import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateReading } from '../../src/history/history.ts';
import type { LockSite } from '../../src/locks/lock.ts';
import { parse, textOf } from '../run-directory/read.ts';

/** Reads what a harness has recorded in its run directory; and when the run is finished, what it has left running. */
export function readRun({ state }: Pick<LockSite, 'state'>): StateReading {
  const reading: StateReading = { events: [], work: [], unreadable: [], debris: [] };
  const lines = textOf(state, 'trials.ndjson').split('\n').slice(0, -1);
  lines.forEach((text, index) => {
    const ref = `trials.ndjson:${index + 1}`;
    const record = parse(text) as { id: string } | null;
    if (record) reading.events.push({ id: record.id, ref });
    else reading.unreadable.push({ path: ref, why: `not JSON: ${text.slice(0, 40)}` });
  });
  if (!existsSync(join(state, 'run.json'))) return reading;
  const run = parse(textOf(state, 'run.json')) as { finished: boolean } | null;
  if (run === null) reading.unreadable.push({ path: 'run.json', why: 'no JSON' });
  if (!run?.finished) return reading;
  reading.events.push({ id: 'finished', ref: 'run.json' });
  reading.debris.push(...readdirSync(state).filter((name) => name.endsWith('.tmp')));
  reading.debris.push(...orphansOf(`SELF_STATE=${state}\0`).map(({ program }) => `running: ${program}`));
  return reading;
}

/** Every process of this machine that has one of these texts in its environment or its command, but for harnesses themselves. */
export function orphansOf(...tags: string[]): { pid: number; program: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        const all = `${command}\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`;
        const isOne = tags.some((tag) => all.includes(tag)) && !command.includes('self/harness.ts\0');
        return isOne ? [{ pid: Number(pid), program: command.replaceAll('\0', ' ').trim() }] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}
