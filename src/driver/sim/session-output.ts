import { lastReason, lineSplitter, openOutputLog } from '../live/output.ts';

/** What a session has said. The probe tells every line, and lets it be written besides; what node prints natively, e.g. the trace of an error, is written only. */
export interface SessionOutput {
  /** Text that was told for stdout: the lines that it completes. */
  told(text: string): string[];
  /** What was written. It is kept in the log. */
  written(stream: 'stdout' | 'stderr', chunk: Buffer): void;
  /** Which of the reasons stands last on stderr. */
  reason(): string | null;
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

  return {
    told(text) {
      lines = [];
      split(text);
      return lines;
    },
    written(stream, chunk) {
      // A child that has outlived its session can go on writing.
      if (!open) return;
      logs[stream].write(chunk);
      if (stream === 'stderr') stderrEnd = (stderrEnd + chunk.toString('latin1')).slice(-REASON_WITHIN_BYTES);
    },
    reason: () => lastReason(Buffer.from(stderrEnd, 'latin1').toString(), reasons),
    close() {
      if (!open) return;
      open = false;
      logs.stdout.close();
      logs.stderr.close();
    },
  };
}
