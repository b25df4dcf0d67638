import type { Action, Fault } from '../plan/plan.ts';
import type { SchedulePlace } from './places.ts';

/** One way to go another way at a place. */
export interface Deviation {
  fault: Fault;
  /** The place's operation site × window. */
  pair: string;
  /** Pair × what is done there: what has been tried when this has been. */
  unit: string;
}

/** What can be done at a place, that which finds most first. */
const WAYS = ['until another acquires', 'lets another past', 'until another writes', 'until another ends', 'past the lease'] as const;

/** A pause of so many TTLs is one past the lease. */
const PAST_LEASE = 1.1;

/**
 * All deviations of these places: another session is let past until it waits, or this one is paused until another has got so far (has taken the lock, written an
 * event, ended), or past the lease. A pause until a point stands for any that is long enough.
 *
 * Those come first that do what has not been done, at first before operations that changed something.
 */
export function deviationsOf(places: SchedulePlace[], ttl_ms: number): Deviation[] {
  const rounds = new Map<string, number>();
  return places
    .flatMap((place) =>
      WAYS.flatMap((way, rank) =>
        actionsOf(way, place, ttl_ms).map((action) => {
          const unit = `${place.pair}: ${way}`;
          const round = rounds.get(unit) ?? 0;
          rounds.set(unit, round + 1);
          return { deviation: { fault: { where: place.where, action }, pair: place.pair, unit }, round, rank, changes: place.changes };
        }),
      ),
    )
    .toSorted((a, b) => a.round - b.round || Number(b.changes) - Number(a.changes) || a.rank - b.rank)
    .map(({ deviation }) => deviation);
}

function actionsOf(way: (typeof WAYS)[number], { others }: SchedulePlace, ttl_ms: number): Action[] {
  switch (way) {
    case 'until another acquires':
      return others.map(({ session, acquired }) => ({ do: 'pause', until: { at: 'lock', session, change: 'acquired', n: acquired + 1 } }));
    case 'lets another past':
      return others.map(({ session }) => ({ do: 'yield', to: session }));
    case 'until another writes':
      return others.map(({ session, events }) => ({ do: 'pause', until: { at: 'event', session, n: events + 1 } }));
    case 'until another ends':
      return others.map(({ session }) => ({ do: 'pause', until: { at: 'end', session } }));
    case 'past the lease':
      return [{ do: 'pause', ms: Math.ceil(ttl_ms * PAST_LEASE) }];
  }
}
