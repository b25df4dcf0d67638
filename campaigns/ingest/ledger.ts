import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ignoring, numbersIn, publishOnce, syncDirectory } from './durable.ts';
import { workDirectory } from './work.ts';

export type LedgerEvent =
  | { type: 'planned'; plan_id: string; windows: number }
  | { type: 'transcribed'; plan_id: string; window: number; sidecar: string; media: string }
  | { type: 'completed'; plan_id: string };

/** A line of the ledger: an event, and who wrote it. */
export type LedgerLine = LedgerEvent & { token: number; session: string | null };

/** Which fact an event states, whatever its plan. */
export const factOf = (event: LedgerEvent): string => (event.type === 'transcribed' ? `transcribed:${event.window}` : event.type);

const segmentPath = (state: string, token: number) => join(state, 'ledger', `${token}.jsonl`);
const sealPath = (state: string, token: number) => join(state, 'ledger', `${token}.seal`);

/** The highest token that has left a trace here: a segment of its own, or the seal of the one before it, which it makes before it works. */
export function highestToken(state: string): number {
  const [segment = 0, seal = -1] = ['.jsonl', '.seal'].map((suffix) => numbersIn(join(state, 'ledger'), suffix).at(-1));
  return Math.max(segment, seal + 1);
}

/**
 * Shuts a token out of the ledger: what its segment holds now is accepted, what is appended later never is.
 *
 * - Counter-example to checking the token before each append: the holder checks, sleeps past its lease, a successor takes over, works
 *   and completes; the holder wakes in the middle of its append. Its line now lies beyond the seal.
 * - Counter-example to a seal that may be replaced: token 2 claims, measures and sleeps before it seals; token 3 seals a longer segment and works on
 *   what it read; token 2 wakes and seals it shorter. The seal is a register that is written once: whoever comes second adopts it.
 * - Counter-example to measuring before the claim: the holder appends after the measurement, finds no higher claim, acknowledges; the claim is made, and the seal cuts the line off.
 *   Measured after the claim, every line whose writer found no higher claim afterwards lies within the measure.
 * - A token that never wrote is sealed too, at length 0, for it may still wake.
 */
export function seal(state: string, token: number, by: number): void {
  if (existsSync(sealPath(state, token))) return;
  const length = measure(segmentPath(state, token));
  publishOnce(join(workDirectory(state, by), `${token}.seal`), sealPath(state, token), `${JSON.stringify({ length })}\n`);
}

/** How many bytes of a segment are whole lines. They are on disk when this returns: a seal must not outlive what it accepts. */
function measure(path: string): number {
  const fd = ignoring(['ENOENT'], () => openSync(path, 'r+'));
  if (fd === undefined) return 0;
  try {
    const length = wholeLines(readFileSync(fd)).bytes;
    fsyncSync(fd);
    return length;
  } finally {
    closeSync(fd);
  }
}

/** Everything that is accepted: of sealed segments up to their seal, of others up to the last whole line. */
export function readLedger(state: string): LedgerLine[] {
  return numbersIn(join(state, 'ledger'), '.jsonl').flatMap((token) => {
    const bytes = readFileSync(segmentPath(state, token));
    const sealed = ignoring(['ENOENT'], () => readFileSync(sealPath(state, token), 'utf8'));
    return wholeLines(sealed === undefined ? bytes : bytes.subarray(0, JSON.parse(sealed).length)).lines;
  });
}

/** The lines before the first that is torn. A segment has one writer, which never writes again after a crash, so a torn line is its last. */
function wholeLines(bytes: Uint8Array): { lines: LedgerLine[]; bytes: number } {
  const lines: LedgerLine[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    try {
      lines.push(JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))));
    } catch {
      break;
    }
    start = end + 1;
  }
  return { lines, bytes: start };
}

/** Opens a token's segment for appending. On return of the call that this returns, the line is on disk. */
export function openSegment(state: string, token: number): (event: LedgerEvent) => void {
  let fd: number | null = null;
  return (event) => {
    const isNew = fd === null;
    fd ??= openSync(segmentPath(state, token), 'a');
    const line: LedgerLine = { ...event, token, session: process.env.CRASH_CAMPAIGN_SESSION ?? null };
    writeFileSync(fd, `${JSON.stringify(line)}\n`);
    fsyncSync(fd);
    if (isNew) syncDirectory(join(state, 'ledger'));
  };
}
