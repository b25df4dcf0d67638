import type { Fault } from '../plan/plan.ts';
import type { SchedulePlace } from './places.ts';

/** One way to go another way at a place. */
export interface Deviation {
  fault: Fault;
  /** What has been tried when this has been: the place's operation site × window, and what is done there. */
  unit: string;
  pair: string;
}

/** A pause of so many TTLs is one past the lease. */
const PAST_LEASE = 1.1;

/**
 * What can be done at a place: another session is let past until it waits, or this one is paused until another has got so far (has taken the lock, written an event, ended), or past
 * the lease. A pause until a point stands for any that is long enough.
 */
export function deviationsAt({ where, pair, others }: SchedulePlace, ttl_ms: number): Deviation[] {
  const deviation = (what: string, action: Fault['action']): Deviation => ({ fault: { where, action }, unit: `${pair}: ${what}`, pair });
  return [
    ...others.flatMap(({ session, acquired, events }) => [
      deviation('until another acquires', { do: 'pause', until: { at: 'lock', session, change: 'acquired', n: acquired + 1 } }),
      deviation('lets another past', { do: 'yield', to: session }),
      deviation('until another writes', { do: 'pause', until: { at: 'event', session, n: events + 1 } }),
      deviation('until another ends', { do: 'pause', until: { at: 'end', session } }),
    ]),
    deviation('past the lease', { do: 'pause', ms: Math.ceil(ttl_ms * PAST_LEASE) }),
  ];
}

/** All deviations of these places, those first that do what has not been done, before operations that changed something. */
export function inOrderOfNovelty(places: SchedulePlace[], ttl_ms: number): Deviation[] {
  const rounds = new Map<string, number>();
  return places
    .flatMap((place) =>
      deviationsAt(place, ttl_ms).map((deviation) => {
        const round = rounds.get(deviation.unit) ?? 0;
        rounds.set(deviation.unit, round + 1);
        return { deviation, round, changes: place.changes };
      }),
    )
    .toSorted((a, b) => a.round - b.round || Number(b.changes) - Number(a.changes))
    .map(({ deviation }) => deviation);
}
