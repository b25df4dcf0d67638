import { closeSync, openSync, writeSync } from 'node:fs';

/** What a session has said: kept in its log, cut into lines, and searched for the reason of its end. */
export interface SessionOutput {
  /** The lines that this text has completed. */
  stdout(text: string): string[];
  stderr(text: string): void;
  /** The reason that was found first on stderr. */
  reason(): string | null;
  close(): void;
}

/** So much of a session's output is kept. */
const LOG_BYTES_MAX = 1024 * 1024;

/** A longer line is no line: it is kept in the log, but not reported. */
const LINE_LENGTH_MAX = 64 * 1024;

/** @param log The file to which both streams are written as they come. */
export function openSessionOutput(log: string, reasons: string[]): SessionOutput {
  const descriptor = openSync(log, 'a');
  const overlap = Math.max(0, ...reasons.map(({ length }) => length - 1));
  let room = LOG_BYTES_MAX;
  let open = true;
  let partial: string | null = '';
  let tail = '';
  let found: string | null = null;

  function keep(text: string) {
    // A grandchild can go on writing after the session's end.
    if (room <= 0 || !open) return;
    const bytes = Buffer.from(text);
    writeSync(descriptor, bytes, 0, Math.min(bytes.length, room));
    room -= bytes.length;
    if (room <= 0) writeSync(descriptor, `\n[the rest was cut: a log holds ${LOG_BYTES_MAX} bytes]\n`);
  }

  return {
    stdout(text) {
      keep(text);
      const [first = '', ...rest] = text.split('\n');
      // Null: the line is too long, and what follows of it is dropped too.
      partial = partial === null || partial.length + first.length > LINE_LENGTH_MAX ? null : partial + first;
      const lines: string[] = [];
      for (const part of rest) {
        if (partial !== null) lines.push(partial);
        partial = part.length > LINE_LENGTH_MAX ? null : part;
      }
      return lines;
    },
    stderr(text) {
      keep(text);
      if (found !== null || reasons.length === 0) return;
      const seen = tail + text;
      const places = reasons.map((reason) => ({ reason, at: seen.indexOf(reason) })).filter(({ at }) => at >= 0);
      found = places.sort((a, b) => a.at - b.at)[0]?.reason ?? null;
      tail = overlap === 0 ? '' : seen.slice(-overlap);
    },
    reason: () => found,
    close() {
      open = false;
      closeSync(descriptor);
    },
  };
}
