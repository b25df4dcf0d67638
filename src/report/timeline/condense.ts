import type { Entry, History } from '../../history/history.ts';
import type { Violation } from '../../history/record.ts';
import { duration } from '../duration.ts';
import { decisiveIn } from './decisive.ts';
import { atStart, follow } from './standing.ts';
import { operationText, tell, type Weight } from './tell.ts';

/** One line of a timeline: an entry of its own, or a session's stretch of details between two such. */
export interface Line {
  t_ms: number;
  session: string | null;
  text: string;
  weight: Weight;
  /** The invariants that this entry helps to break. */
  breaks: string[];
  /** The entries that the line stands for. */
  entries: Entry[];
}

/**
 * The lines of a history. Details (reads, polls, renewals) between two told entries become one line for each session, which counts them, so that a
 * wait of a thousand polls is as short as it was dull. Never hidden among others are what a violation names, what decides how the trial ends (see
 * decisiveIn), which have lines of their own, and calls that fail: those of a stretch that are alike have a line together.
 */
export function condense(history: History, violations: Violation[]): Line[] {
  const lines: Line[] = [];
  const stretches = new Map<string, Line>();
  const seen = new Set<string>();
  const decisive = decisiveIn(history, violations);
  const standing = atStart();

  for (const [index, entry] of history.entries.entries()) {
    const breaks = [...new Set(violations.filter(({ entries }) => entries.includes(index)).map(({ invariant }) => invariant))];
    const { text, weight } = tell(entry, standing);
    follow(standing, entry);
    const session = 'session' in entry ? entry.session : null;
    const line: Line = { t_ms: entry.t_ms, session, text, weight, breaks, entries: [entry] };
    if (breaks.length > 0 || (weight !== 'detail' && !repeats(entry, seen))) {
      stretches.clear();
      lines.push(line);
    } else if (decisive.has(index)) {
      // The reads around it stay one line: a check before each write would double what is to be read.
      lines.push({ ...line, weight: 'step' });
    } else if (session !== null && (entry.type === 'operation' || entry.type === 'lock')) {
      const alike = entry.type === 'operation' && entry.error !== undefined ? text : session;
      const stretch = stretches.get(alike);
      if (stretch) stretch.entries.push(entry);
      else {
        const begun: Line = { ...line, weight: 'detail' };
        stretches.set(alike, begun);
        lines.push(begun);
      }
    } else {
      // The end of a killed session and the reaching of a fault are told by what comes with them.
      lines.at(-1)?.entries.push(entry);
    }
  }
  return lines.map((line) => (line.weight === 'detail' && line.breaks.length === 0 ? { ...line, text: stretchText(line) } : line));
}

/** Whether it is an operation on the lock that this session has done before under the same tenure, as a heartbeat does. */
function repeats(entry: Entry, seen: Set<string>): boolean {
  if (entry.type === 'lock' && entry.change !== 'renewed') seen.clear();
  if (entry.type !== 'operation') return false;
  const key = `${entry.session} ${entry.kind} ${entry.path.replaceAll(/[0-9a-f]{6,}|\d+/g, '#')}`;
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

function stretchText({ session, entries }: Line): string {
  const [first, last] = [entries[0]?.t_ms ?? 0, entries.at(-1)?.t_ms ?? 0];
  return `${session} ${counted(entries)}${last - first >= 1 ? ` in ${duration(last - first)}` : ''}`;
}

/** A stretch names so many of what it is made of. */
const MOST_NAMED = 3;

/** Operations and renewals, the most frequent first: `write a.json ×6, rename a.json → b.json and 2 more`. */
export function counted(entries: Entry[]): string {
  const times = new Map<string, number>();
  for (const entry of entries) {
    if (entry.type !== 'operation' && entry.type !== 'lock') continue;
    const what = entry.type === 'operation' ? operationText({ ...entry, bytes: undefined }) : 'renews the lock';
    times.set(what, (times.get(what) ?? 0) + 1);
  }
  const ranked = [...times].sort(([, a], [, b]) => b - a);
  const named = ranked.slice(0, MOST_NAMED).map(([what, n]) => (n === 1 ? what : `${what} ×${n}`));
  const others = ranked.slice(MOST_NAMED).reduce((sum, [, n]) => sum + n, 0);
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
