import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DurableEvent, StateReading } from '../../src/history/history.ts';
import type { LockSite } from '../../src/locks/lock.ts';

interface Line {
  trial: number;
  session?: string;
  token: number;
}

/** Reads a run directory by the rules that everybody reads it by: whole lines of `trials.ndjson`, `run.json` as a whole. */
export function readRunDirectory({ state }: Pick<LockSite, 'state'>): StateReading {
  const events: DurableEvent[] = [];
  const unreadable: StateReading['unreadable'] = [];
  const lines = textOf(state, 'trials.ndjson').split('\n');
  // What a power cut left of the last line may be zeros, and its end.
  if (lines.length > 1 && parse(lines.at(-2) ?? '') === null) lines.splice(-2, 1);
  lines.slice(0, -1).forEach((text, index) => {
    const line = parse(text) as Line | null;
    const ref = `trials.ndjson:${index + 1}`;
    if (line === null) unreadable.push({ path: ref, why: `not JSON: ${text.slice(0, 40)}` });
    else events.push({ id: `trial:${line.trial}`, ref, session: line.session, token: line.token });
  });
  const text = textOf(state, 'run.json');
  const run = parse(text) as { finished: boolean; session?: string; token: number } | null;
  if (run === null && existsSync(join(state, 'run.json'))) unreadable.push({ path: 'run.json', why: `${text.length} bytes, and no JSON` });
  if (run?.finished) events.push({ id: 'finished', ref: 'run.json', session: run.session, token: run.token });
  const debris = readdirSync(state).filter((name) => name.endsWith('.tmp'));
  return { events, work: [], unreadable, debris };
}

/** A file's text; empty when there is none. */
export function textOf(state: string, name: string): string {
  return existsSync(join(state, name)) ? readFileSync(join(state, name), 'utf8') : '';
}

/** Null when it is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
