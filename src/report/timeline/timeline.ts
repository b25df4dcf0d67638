import type { History } from '../../history/history.ts';
import type { Violation } from '../../history/record.ts';
import { duration } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { WIDTH } from '../table.ts';
import { wrap } from '../wrap.ts';
import { condense, type Line } from './condense.ts';
import { atStart, follow, type Standing } from './standing.ts';
import { story } from './story.ts';

/** What the signs of a timeline mean. A session that was robbed and goes on says that it holds the lock, and does not. */
const LEGEND = {
  '│': 'runs',
  '┃': 'holds the lock',
  '║': 'only says so',
  '┊': 'paused',
  '○': 'starts',
  '●': 'ends',
  '✗': 'killed',
  '‖': 'pauses',
  '•': 'step',
  '·': 'details',
  '▶': 'proof',
};

/**
 * A history for a person: the time in seconds, a lane for each session, and what happened, under a legend of the signs that occur.
 * Entries that prove a violation are marked and name the invariant. The trial in words comes last.
 */
export function timeline(history: History, violations: Violation[], paint: Paint): string {
  const { trial } = history;
  const sessions = history.entries.filter((entry) => entry.type === 'spawn').map(({ session }) => session);
  const standing = atStart();
  const lines = condense(history, violations).map((line) => {
    for (const entry of line.entries) follow(standing, entry);
    return { line, lanes: sessions.map((session) => lane(session, line, standing)).join(' ') };
  });
  const drawn = lines.map(({ line, lanes }) => `${lanes}${line.breaks.length > 0 ? '▶' : ''}`).join('');
  const legend = Object.entries(LEGEND).flatMap(([sign, words]) => (drawn.includes(sign) ? `${sign} ${words}` : []));
  return [
    paint('bold', trial.id),
    paint('dim', `${trial.driver}, TTL ${duration(trial.ttl_ms)}`),
    paint('dim', `plan  ${trial.plan}`),
    paint('dim', legend.join('  ')),
    '',
    ...lines.map(({ line, lanes }) => lineText(line, lanes, paint)),
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
  const state = stateOf(session, standing);
  if (line.session !== session) return `${state} `;
  return `${state}${line.weight === 'detail' ? '·' : (SIGNS[line.entries[0]?.type ?? ''] ?? '•')}`;
}

function stateOf(session: string, { alive, paused, lock, inside }: Standing): keyof typeof LEGEND | ' ' {
  if (!alive.has(session)) return ' ';
  if (paused.has(session)) return '┊';
  if (lock?.holder === session) return '┃';
  return inside.has(session) ? '║' : '│';
}
