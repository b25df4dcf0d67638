import type { History } from '../../history/history.ts';
import type { Violation } from '../../history/record.ts';
import { duration } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { WIDTH } from '../table.ts';
import { wrap } from '../wrap.ts';
import { condense, type Line } from './condense.ts';
import { atStart, follow, holds, type Standing } from './standing.ts';
import { story } from './story.ts';

/**
 * A history for a person: the time in seconds, a lane for each session (`│` running, `┃` holding the lock, `┊` paused), and what
 * happened. Entries that prove a violation are marked and name the invariant. The trial in words comes last.
 */
export function timeline(history: History, violations: Violation[], paint: Paint): string {
  const { trial } = history;
  const sessions = history.entries.filter((entry) => entry.type === 'spawn').map(({ session }) => session);
  const standing = atStart();
  const lines = condense(history, violations).map((line) => {
    for (const entry of line.entries) follow(standing, entry);
    return lineText(line, sessions.map((session) => lane(session, line, standing)).join(' '), paint);
  });
  return [
    paint('bold', trial.id),
    paint('dim', `${trial.driver}, TTL ${duration(trial.ttl_ms)}   │ running  ┃ holding the lock  ┊ paused`),
    paint('dim', `plan  ${trial.plan}`),
    '',
    ...lines,
    '',
    paint('bold', 'In words'),
    ...story(history, violations).map((sentence) => `  ${wrap(sentence, WIDTH - 4).join('\n    ')}`),
    '',
  ].join('\n');
}

function lineText(line: Line, lanes: string, paint: Paint): string {
  const broken = line.breaks.length > 0;
  const time = `${(line.t_ms / 1000).toFixed(3)} s`.padStart(12);
  const tail = broken ? `  ← ${line.breaks.join(', ')}` : '';
  const text = `${line.text}${tail}`;
  const painted = broken ? paint('red', text) : line.weight === 'detail' ? paint('dim', text) : text;
  return `${broken ? paint('red', '▶') : ' '}${paint('dim', time)}  ${lanes}  ${painted}`;
}

const SIGNS: Partial<Record<string, string>> = { spawn: '○', killed: '✗', end: '●', paused: '‖' };

/** How it stands with the session, and beside it a sign if the line is about it. */
function lane(session: string, line: Line, standing: Standing): string {
  const runs = standing.alive.has(session) ? (holds(standing, session) ? '┃' : '│') : ' ';
  const state = standing.paused.has(session) ? '┊' : runs;
  if (line.session !== session) return `${state} `;
  return `${state}${line.weight === 'detail' ? '·' : (SIGNS[line.entries[0]?.type ?? ''] ?? '•')}`;
}
