import { closeSync, openSync, writeSync } from 'node:fs';

/** Of each stream of a session so many bytes from its beginning, and as many from its end, are kept. */
export const KEPT_BYTES = 512 * 1024;
/** A longer line is kept in the log and reported to nobody. */
export const LINE_LENGTH_MAX = 64 * 1024;

export interface OutputLog {
  write(chunk: Buffer): void;
  close(): void;
}

/** A file with a stream's beginning, written as it comes, and its end, written when it is closed, and between them a line that says how much was left out. */
export function openOutputLog(path: string): OutputLog {
  const file = openSync(path, 'w');
  let headRoom = KEPT_BYTES;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let leftOut = 0;

  function write(chunk: Buffer) {
    const head = chunk.subarray(0, headRoom);
    if (head.length > 0) writeSync(file, head);
    headRoom -= head.length;
    if (head.length === chunk.length) return;
    // A copy, because the rest of what a chunk is cut from would be kept in memory with it.
    tail.push(Buffer.from(chunk.subarray(head.length)));
    tailBytes += chunk.length - head.length;
    if (tailBytes > 2 * KEPT_BYTES) trim();
  }

  function trim() {
    const all = Buffer.concat(tail);
    const kept = all.subarray(Math.max(0, all.length - KEPT_BYTES));
    leftOut += all.length - kept.length;
    tail = [kept];
    tailBytes = kept.length;
  }

  function close() {
    trim();
    if (leftOut > 0)
      writeSync(file, `\n[crash-campaign: ${leftOut} bytes left out here; of each stream the first and the last ${KEPT_BYTES} are kept]\n`);
    for (const chunk of tail) if (chunk.length > 0) writeSync(file, chunk);
    closeSync(file);
  }

  return { write, close };
}

/** Cuts text that comes in pieces into lines. What stands after the last line feed is no line: whoever wrote it may have been killed in the middle. */
export function lineSplitter(onLine: (line: string) => void): (text: string) => void {
  let begun = '';
  let tooLong = false;
  return (text) => {
    const pieces = text.split('\n');
    pieces.forEach((piece, index) => {
      if (begun.length + piece.length > LINE_LENGTH_MAX) tooLong = true;
      begun = tooLong ? '' : begun + piece;
      if (index === pieces.length - 1) return;
      if (!tooLong) onLine(begun.endsWith('\r') ? begun.slice(0, -1) : begun);
      begun = '';
      tooLong = false;
    });
  };
}

/** Of a longer last word so many characters are told: the message of an error with two long paths has room. */
const LAST_WORDS_LENGTH_MAX = 1000;

/**
 * What a program said last of why it ends, or null. What is indented, or has no letter in it, belongs to the line before it (a stack, a brace);
 * and Node ends with its own version.
 */
export function lastWords(text: string): string | null {
  const line = text.split('\n').findLast((line) => /^\S.*\p{L}|^\p{L}/u.test(line) && !/^Node\.js v\d/.test(line));
  return line?.trimEnd().slice(0, LAST_WORDS_LENGTH_MAX) ?? null;
}

/** Which of some reasons stands last in a text, or null. */
export function lastReason(text: string, reasons: string[]): string | null {
  const found = reasons.map((reason) => ({ reason, at: text.lastIndexOf(reason) })).filter(({ at }) => at >= 0);
  return found.sort((a, b) => b.at - a.at || b.reason.length - a.reason.length)[0]?.reason ?? null;
}
