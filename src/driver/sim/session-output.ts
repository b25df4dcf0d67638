import { lastReason, lastWords, lineSplitter, openOutputLog } from '../live/output.ts';

/** What a session has said: what the program writes is told by the probe; node itself, e.g. with the trace of an error, and children write past it. */
export interface SessionOutput {
  /** The lines of stdout that this text has completed. */
  told(stream: 'stdout' | 'stderr', text: string): string[];
  /** What was written past the probe. It is kept, and told to nobody, for its time is not controlled. */
  written(stream: 'stdout' | 'stderr', chunk: Buffer): void;
  /** Which of the reasons stands last on stderr. */
  reason(): string | null;
  lastWords(): string | null;
  close(): void;
}

/** The reason of a session's end is looked for in so much of the end of its stderr. */
const REASON_WITHIN_BYTES = 64 * 1024;

/** @param log The streams are kept in the files of this name with `.out` and `.err`. */
export function openSessionOutput(log: string, reasons: string[]): SessionOutput {
  const logs = { stdout: openOutputLog(`${log}.out`), stderr: openOutputLog(`${log}.err`) };
  let lines: string[] = [];
  const split = lineSplitter((line) => lines.push(line));
  let stderrEnd = '';
  let open = true;

  function written(stream: 'stdout' | 'stderr', chunk: Buffer) {
    // A child that has outlived its session can go on writing.
    if (!open) return;
    logs[stream].write(chunk);
    if (stream === 'stderr') stderrEnd = (stderrEnd + chunk.toString('latin1')).slice(-REASON_WITHIN_BYTES);
  }

  const saidLast = () => Buffer.from(stderrEnd, 'latin1').toString();

  return {
    told(stream, text) {
      written(stream, Buffer.from(text));
      lines = [];
      if (stream === 'stdout') split(text);
      return lines;
    },
    written,
    reason: () => lastReason(saidLast(), reasons),
    lastWords: () => lastWords(saidLast()),
    close() {
      if (!open) return;
      open = false;
      logs.stdout.close();
      logs.stderr.close();
    },
  };
}
