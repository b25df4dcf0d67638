import type { Entry, EntryOf, History } from '../../history/history.ts';
import type { Violation } from '../../history/record.ts';
import { duration } from '../duration.ts';
import { counted } from './condense.ts';
import { decisiveIn } from './decisive.ts';
import { atStart, follow, type Standing } from './standing.ts';
import { operationText, tell } from './tell.ts';

/** A story longer than this is cut in its middle: its beginning and what led to the end matter most. */
const MOST_SENTENCES = 16;
const FIRST_SENTENCES = 3;

/** The trial in a few sentences: who held the lock, who was paused where, what was then written, and what that breaks. */
export function story(history: History, violations: Violation[]): string[] {
  const proof = new Set(violations.flatMap(({ entries }) => entries));
  const standing = atStart();
  const sentences: string[] = [];
  const landing = new Map<string | null, string>();
  const decisive = decisiveIn(history, violations);
  for (const [index, entry] of history.entries.entries()) {
    if (entry.type === 'fault') landing.set(entry.session, entry.operation === null ? '' : `, at ${entry.operation}`);
    const { text, weight } = tell(entry, standing);
    if (weight === 'turn' || proof.has(index)) {
      if (entry.type === 'end' && weight === 'turn') sentences.push(...lastDeeds(entry.session, history, decisive));
      sentences.push(
        `At ${seconds(entry)} ${text}${circumstance(entry, standing, landing.get('session' in entry ? entry.session : null) ?? '')}.`,
      );
    }
    follow(standing, entry);
  }
  return [...shorten(sentences), ...conclusions(violations)];
}

/** What a session did after the blow that it died of. */
function lastDeeds(session: string, { entries }: History, decisive: Set<number>): string[] {
  const deeds = entries.filter(
    (entry, index): entry is EntryOf<'operation'> => 'session' in entry && entry.session === session && decisive.has(index),
  );
  const [first, last] = [deeds[0], deeds.pop()];
  if (first === undefined || last === undefined) return [];
  if (first === last) return [`At ${seconds(last)} ${session} does: ${operationText(last)}.`];
  return [`From ${seconds(first)} on ${session} does: ${counted(deeds)}; and last, at ${seconds(last)}, ${operationText(last)}.`];
}

function seconds({ t_ms }: Entry): string {
  return `${(t_ms / 1000).toFixed(3)} s`;
}

/** What of the standing before the entry makes it remarkable. */
function circumstance(entry: Entry, standing: Standing, landing: string): string {
  switch (entry.type) {
    case 'killed':
      return landing;
    case 'paused':
      return `${standing.lock?.holder === entry.session ? ' while it holds the lock' : ''}${landing}`;
    case 'continued': {
      const since = standing.paused.get(entry.session);
      return `${since === undefined ? '' : ` after ${duration(entry.t_ms - since)}`}${underAnother(entry.session, standing)}`;
    }
    case 'lock': {
      const others = [...standing.paused.keys()].filter((session) => session !== entry.session);
      return entry.change === 'acquired' && others.length > 0
        ? ` while ${others.join(' and ')} ${others.length === 1 ? 'is' : 'are'} paused`
        : '';
    }
    case 'event':
    case 'work':
    case 'operation':
      return entry.session === null ? '' : underAnother(entry.session, standing);
    default:
      return '';
  }
}

function underAnother(session: string, { lock }: Standing): string {
  if (lock === null || lock.holder === session) return '';
  const token = lock.token === null ? '' : ` with token ${lock.token}`;
  return `, though ${lock.holder ?? (lock.stolen ? 'the thief' : 'somebody else')} holds the lock${token}`;
}

/** A sentence for each broken invariant, with the first of its proofs. */
function conclusions(violations: Violation[]): string[] {
  return [...Map.groupBy(violations, ({ invariant }) => invariant)].map(([invariant, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return `That breaks ${invariant}: ${first?.message}${more}`;
  });
}

function shorten(sentences: string[]): string[] {
  if (sentences.length <= MOST_SENTENCES) return sentences;
  const last = MOST_SENTENCES - FIRST_SENTENCES;
  return [
    ...sentences.slice(0, FIRST_SENTENCES),
    `… ${sentences.length - MOST_SENTENCES} more of the same kind …`,
    ...sentences.slice(-last),
  ];
}
