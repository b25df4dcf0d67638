import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DurableEvent, FinishedWork, StateReading } from '../../src/history/history.ts';
import type { LockSite } from '../../src/locks/lock.ts';

interface Line {
  type: string;
  window?: number;
  sidecar?: string;
  media?: string;
  token: number;
  session: string | null;
}

/**
 * Reads what the ingest kernel has made durable, by the rules of its storage and without its code: a segment counts up to its seal,
 * an unsealed one up to its last whole line; a sidecar counts when it is whole and its chunk is there.
 *
 * An event's id leaves the plan out, so that a second plan for the same recording shows as duplicates.
 */
export function readIngest({ state }: Pick<LockSite, 'state'>): StateReading {
  const reading: StateReading = { events: [], work: [], unreadable: [], debris: [] };
  const named = new Set<string>();
  for (const token of segments(join(state, 'ledger'))) {
    const { events, lines, unreadable } = readSegment(state, token);
    reading.events.push(...events);
    reading.unreadable.push(...unreadable);
    for (const { sidecar, media } of lines) {
      for (const [directory, name] of [['transcription', sidecar] as const, ['media', media] as const]) {
        if (name === undefined) continue;
        named.add(name);
        const path = `${directory}/${name}`;
        if (!existsSync(join(state, path))) reading.unreadable.push({ path, why: 'the ledger names it, and it is not there' });
      }
    }
  }

  for (const name of list(join(state, 'transcription'))) {
    const path = `transcription/${name}`;
    const sidecar = readSidecar(state, path);
    if ('why' in sidecar) reading.unreadable.push({ path, why: sidecar.why });
    else if (existsSync(join(state, 'media', sidecar.media))) reading.work.push(sidecar.work);
    if (!named.has(name)) reading.debris.push(path);
  }
  for (const name of list(join(state, 'media'))) {
    const path = `media/${name}`;
    const bytes = readFileSync(join(state, path));
    if (!isWholeWav(bytes)) reading.unreadable.push({ path, why: `no whole WAV file: ${bytes.length} bytes` });
    if (!named.has(name)) reading.debris.push(path);
  }
  for (const token of list(join(state, 'work'))) {
    const files = list(join(state, 'work', token));
    reading.debris.push(...(files.length > 0 ? files.map((name) => `work/${token}/${name}`) : [`work/${token}`]));
  }
  return reading;
}

function readSegment(state: string, token: number): { events: DurableEvent[]; lines: Line[]; unreadable: StateReading['unreadable'] } {
  const ref = `ledger/${token}.jsonl`;
  const segment = readFileSync(join(state, ref));
  const length = readSeal(join(state, 'ledger', `${token}.seal`), segment.length);
  if (length === null) return { events: [], lines: [], unreadable: [{ path: `ledger/${token}.seal`, why: 'it is no seal' }] };
  const texts = segment.subarray(0, length).toString('utf8').split('\n').slice(0, -1);
  const lines: Line[] = [];
  for (const text of texts) {
    const line = parse(text) as Line | null;
    // The writer of a torn line never writes to this segment again.
    if (line === null) break;
    lines.push(line);
  }
  const events = lines.map((line, index) => ({
    id: line.window === undefined ? line.type : `${line.type}:${line.window}`,
    ref: `${ref}:${index + 1}`,
    token: line.token,
    session: line.session ?? undefined,
  }));
  return { events, lines, unreadable: [] };
}

/** How many bytes of a segment are accepted; null when there is a seal that can't be read. */
function readSeal(path: string, otherwise: number): number | null {
  if (!existsSync(path)) return otherwise;
  const seal = parse(readFileSync(path, 'utf8')) as { length?: number } | null;
  return seal?.length ?? null;
}

function readSidecar(state: string, path: string): { work: FinishedWork; media: string } | { why: string } {
  const text = readFileSync(join(state, path), 'utf8');
  const sidecar = parse(text) as { window?: number; media?: string } | null;
  if (sidecar?.window === undefined || sidecar.media === undefined)
    return { why: `no sidecar: ${text.length} bytes, not the JSON object that it should be` };
  return { work: { unit: `window.${sidecar.window}`, ref: path, token: Number(path.split('.')[1]) }, media: sidecar.media };
}

/** The header of a canonical WAV file says how many bytes of samples follow it. */
function isWholeWav(bytes: Buffer): boolean {
  const header = 44;
  return bytes.length >= header && bytes.length === header + bytes.readUInt32LE(header - 4);
}

function segments(directory: string): number[] {
  return list(directory)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => Number(name.slice(0, -'.jsonl'.length)))
    .sort((a, b) => a - b);
}

function list(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).sort() : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
