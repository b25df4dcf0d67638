import picomatch from 'picomatch';
import type { Entry, Operation } from '../history/history.ts';
import type { Place, SessionRef, Window } from '../plan/plan.ts';

/** A place that is being waited for. Counts are of what has matched so far. */
export interface Trigger {
  readonly place: Place;
  /** A later fault of a plan may be armed only when an earlier one has been delivered: `t=+…`. */
  readonly armed_ms: number;
  count: number;
  /** When a window place is due, once its session has entered the window. */
  due_ms: number | null;
}

/** One thing that may be what a trigger waits for. */
export type Moment =
  /** `holder` held the lock when the operation began. */
  | { type: 'operation'; edge: 'before' | 'after'; session: string; operation: Operation; holder: string | null }
  | { type: 'entry'; entry: Entry }
  | { type: 'time' };

/** What triggers may know of the trial. */
export interface View {
  now_ms: number;
  /** Who holds the lock. */
  holder: string | null;
  /** When each session was spawned. */
  spawned_ms: ReadonlyMap<string, number>;
  windowsOf(session: string): Window[];
  /** The golden run's time in a window; 0 where it was never in it. */
  windowLength(window: Window): number;
}

export function arm(place: Place, now_ms: number): Trigger {
  return { place, armed_ms: now_ms, count: 0, due_ms: null };
}

/** The session that a reference means at this instant; null when there is none. */
export function resolve(ref: SessionRef | undefined, view: Pick<View, 'holder'>): string | null {
  return ref === 'holder' ? view.holder : (ref ?? null);
}

/** Whether `moment` is what the trigger waits for. Counts on the way: each moment must be shown to each trigger once. */
export function isReached(trigger: Trigger, moment: Moment, view: View): boolean {
  const { place } = trigger;
  switch (place.at) {
    case 'operation':
      return moment.type === 'operation' && moment.edge === place.edge && matchesOperation(place, moment) && ++trigger.count === place.n;
    case 'point':
      return (
        isEntry(moment, 'said') &&
        moment.entry.say === 'point' &&
        moment.entry.text === place.name &&
        isBy(place.session, moment.entry.session, view) &&
        ++trigger.count === place.n
      );
    case 'event':
      return isEntry(moment, 'event') && isBy(place.session, moment.entry.session, view) && ++trigger.count === place.n;
    case 'lock':
      return (
        isEntry(moment, 'lock') &&
        moment.entry.change === place.change &&
        isBy(place.session, moment.entry.session, view) &&
        ++trigger.count === place.n
      );
    case 'end':
      return isEntry(moment, 'end') && isBy(place.session, moment.entry.session, view);
    case 'time':
    case 'window': {
      const due_ms = dueAt(trigger, view);
      return due_ms !== null && due_ms <= view.now_ms;
    }
  }
}

/** When a time or window trigger comes due, in whole microseconds, as clocks count; null while that is not known, or for other places. */
export function dueAt(trigger: Trigger, view: View): number | null {
  const due_ms = exactDue(trigger, view);
  // A sum may lie a hair beyond the microsecond that it stands for, and a clock that has come to that microsecond would never reach it.
  return due_ms === null ? null : Math.round(due_ms * 1000) / 1000;
}

function exactDue(trigger: Trigger, view: View): number | null {
  const { place } = trigger;
  if (place.at === 'time') {
    if (place.since === 'last-fault') return trigger.armed_ms + place.ms;
    if (!place.session) return place.ms;
    const session = resolve(place.session, view);
    const spawned_ms = session === null ? undefined : view.spawned_ms.get(session);
    return spawned_ms === undefined ? null : spawned_ms + place.ms;
  }
  if (place.at === 'window') {
    const session = resolve(place.session, view);
    if (session === null || !view.windowsOf(session).includes(place.window)) trigger.due_ms = null;
    else trigger.due_ms ??= view.now_ms + place.fraction * view.windowLength(place.window);
    return trigger.due_ms;
  }
  return null;
}

/** Both edges of an operation are those of the same session: the one that makes its session the holder is none of the holder's, and the one that ends that is. */
function matchesOperation(
  place: Extract<Place, { at: 'operation' }>,
  { session, operation, holder }: Extract<Moment, { type: 'operation' }>,
): boolean {
  if (!isBy(place.session, session, { holder })) return false;
  if (place.kind !== undefined && place.kind !== operation.kind) return false;
  return place.path === undefined || pathMatcher(place.path)(operation.path);
}

/** Without a session in its place, a fault is meant for whoever got there. */
export function sessionOfMoment(moment: Moment): string | null {
  if (moment.type === 'operation') return moment.session;
  if (moment.type === 'entry' && 'session' in moment.entry) return moment.entry.session;
  return null;
}

function isBy(ref: SessionRef | undefined, session: string | null, view: Pick<View, 'holder'>): boolean {
  return ref === undefined || (session !== null && session === resolve(ref, view));
}

function isEntry<T extends Entry['type']>(moment: Moment, type: T): moment is { type: 'entry'; entry: Extract<Entry, { type: T }> } {
  return moment.type === 'entry' && moment.entry.type === type;
}

const matchers = new Map<string, (path: string) => boolean>();

/** A glob without a slash is matched against the last part of a path, so that `write(events.jsonl)` finds it in any folder. */
export function pathMatcher(glob: string): (path: string) => boolean {
  let matcher = matchers.get(glob);
  if (!matcher) matchers.set(glob, (matcher = picomatch(glob, { basename: !glob.includes('/'), dot: true })));
  return matcher;
}
