import type { Entry, History } from '../../history/history.ts';
import { type Tenure, tenuresOf } from '../../history/tenures.ts';

/**
 * Something that lasts. `from` and `to` are indexes of entries, with a fraction where a time lies between two of them.
 *
 * Of the lock: `held`; `orphaned`, while its holder is dead and the lease not over; `lapsed`, while it names a holder whose lease is over; `stolen`, while the
 * harness has it. Of a session: `alive`, `holding`, `paused`.
 */
export interface Span {
  lane: number;
  kind: 'held' | 'orphaned' | 'lapsed' | 'stolen' | 'alive' | 'holding' | 'paused';
  /** Whose it is, by index among the sessions; -1: nobody's. */
  owner: number;
  from: number;
  to: number;
  label: string;
}

const LOCK = -1;

/** All that lasts in a trial. */
export function spansOf(history: History, sessions: string[]): Span[] {
  const tenures = tenuresOf(history);
  return [...lockSpans(history.entries, tenures, sessions), ...sessionSpans(history.entries, tenures, sessions)];
}

/** Who held the lock, and how good a claim it was. */
function lockSpans(entries: Entry[], tenures: Tenure[], sessions: string[]): Span[] {
  return tenures.flatMap((tenure) => {
    const to = tenure.to ?? entries.length - 1;
    const token = tenure.token === null ? '' : `, token ${tenure.token}`;
    const owner = tenure.session === null ? -1 : sessions.indexOf(tenure.session);
    const span = (kind: Span['kind'], from: number, until: number): Span[] =>
      until > from ? [{ lane: LOCK, kind, owner, from, to: until, label: `${tenure.session ?? 'the harness'}${token}` }] : [];
    if (tenure.session === null) return span('stolen', tenure.from, to);
    const died = Math.min(to, diedAt(entries, tenure));
    const lapsed = Math.min(to, lapsedAt(entries, tenure, to));
    return [
      ...span('held', tenure.from, Math.min(died, lapsed)),
      ...span('orphaned', Math.min(died, lapsed), lapsed),
      ...span('lapsed', lapsed, to),
    ];
  });
}

/** When each session lived, held the lock, and stood still. A session that dies holds nothing any more, whatever the lock says. */
function sessionSpans(entries: Entry[], tenures: Tenure[], sessions: string[]): Span[] {
  return sessions.flatMap((session, lane) => {
    const own = (type: Entry['type']) =>
      entries.findIndex((entry) => entry.type === type && 'session' in entry && entry.session === session);
    const [start, end] = [own('spawn'), own('end')];
    const last = end < 0 ? entries.length - 1 : end;
    const span = (kind: Span['kind'], from: number, to: number, label: string): Span => ({
      lane,
      kind,
      owner: lane,
      from,
      to: Math.min(to, last),
      label,
    });
    const pauses = entries.flatMap((entry, from) => {
      if (entry.type !== 'paused' || entry.session !== session) return [];
      const to = entries.findIndex((other, i) => i > from && other.type === 'continued' && other.session === session);
      return span('paused', from, to < 0 ? last : to, 'paused');
    });
    const held = tenures
      .filter((tenure) => tenure.session === session && tenure.from < last)
      .map(({ from, to, token }) =>
        span('holding', from, to ?? last, token === null ? 'holds the lock' : `holds the lock, token ${token}`),
      );
    return [span('alive', start, last, session), ...held, ...pauses];
  });
}

function diedAt(entries: Entry[], { session, from }: Tenure): number {
  const at = entries.findIndex((entry, i) => i > from && (entry.type === 'killed' || entry.type === 'end') && entry.session === session);
  return at < 0 ? entries.length : at;
}

/** When the lease of a tenure was over for good, as the lock tells it; later than all entries: never. */
function lapsedAt(entries: Entry[], { session, from }: Tenure, to: number): number {
  let lapsed = entries.length;
  for (let i = from; i < to; i += 1) {
    const entry = entries[i] as Entry;
    if (entry.type !== 'lock') continue;
    if (entry.change === 'expired') lapsed = i;
    else if (entry.session === session && (entry.change === 'acquired' || entry.change === 'renewed'))
      lapsed = entry.expires_ms === null ? entries.length : placeOf(entries, entry.expires_ms);
  }
  return lapsed;
}

/** Where a time lies among the entries. */
function placeOf(entries: Entry[], t_ms: number): number {
  const after = entries.findIndex((entry) => entry.t_ms > t_ms);
  if (after < 0) return entries.length;
  if (after === 0) return 0;
  const [before, next] = [(entries[after - 1] as Entry).t_ms, (entries[after] as Entry).t_ms];
  return after - 1 + (t_ms - before) / (next - before);
}
