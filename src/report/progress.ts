import type { RunProgress } from '../campaign-run/run.ts';
import { count, duration } from './duration.ts';
import { type Paint, paintFor } from './paint.ts';

export interface Progress {
  event(event: RunProgress): void;
  /** A line that stays. */
  note(text: string): void;
  /** Leaves the stream at the beginning of a line. */
  end(): void;
}

/** Without a terminal there is a line for each such share of the trials. */
const LINES = 10;
/** Where nobody knows how many trials there will be, there are lines as if there were so many. */
const OPEN_ENDED = 500;

/**
 * Live progress. On a terminal one line that is written over; anywhere else a line now and then.
 * `now` gives milliseconds, for the elapsed time.
 */
export function openProgress(stream: NodeJS.WritableStream, now: () => number): Progress {
  const live = 'isTTY' in stream && stream.isTTY === true;
  const paint = paintFor(stream);
  const started = now();
  const tally = { held: 0, broken: 0, void: 0 };
  let shown = false;

  const clear = () => {
    if (shown) stream.write('\r\u001b[2K');
    shown = false;
  };
  return {
    event(event) {
      if (event.type === 'trial') tally[event.record.verdict] += 1;
      const text = progressText(event, tally, now() - started, paint);
      if (live) {
        clear();
        stream.write(text);
        shown = true;
      } else if (
        event.type !== 'golden' &&
        (event.done === event.total || event.done % Math.max(1, Math.ceil((event.total ?? OPEN_ENDED) / LINES)) === 0)
      ) {
        stream.write(`${text}\n`);
      }
    },
    note(text) {
      clear();
      stream.write(`${text}\n`);
    },
    end: clear,
  };
}

function progressText(event: RunProgress, tally: Record<string, number>, elapsed_ms: number, paint: Paint) {
  const done = event.total === null ? `${event.done}` : `${event.done}/${event.total}`;
  switch (event.type) {
    case 'golden':
      return `golden run  ${done}`;
    case 'control':
      return `controls  ${done}  ${duration(elapsed_ms)}`;
    case 'trial': {
      const broken = tally.broken === 0 ? '0 broken' : paint('red', `${tally.broken} broken`);
      return `trials  ${done}  ${count(tally.held ?? 0, 'held', 'held')}, ${broken}, ${tally.void} void  ${duration(elapsed_ms)}`;
    }
  }
}
