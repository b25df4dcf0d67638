import type { Delivery } from '../world.ts';

/** What the schedule knows of a session. */
export interface Seat {
  name: string;
  /** Sessions are numbered in order of start. */
  order: number;
  alive: boolean;
  paused: boolean;
  /** From when on it can go on: the time at which its timer comes due, or that at which it was blocked. */
  ready_us: number;
}

/** Decides whose turn it is. */
export interface Schedule<S extends Seat> {
  /**
   * By default the running session runs on until it waits; then the one that has been ready for longest is next, of equals the one that was started
   * first. Null: nobody can go on now.
   */
  turn(now_us: number): S | null;
  /** When the next session becomes ready; Infinity: never. */
  nextReady_us(): number;
  /** Must be told when a session waits for a timer, is paused, or ends: its turn is over, and so is that of those who were let past. */
  waits(session: S): void;
  /**
   * Lets a session go first until it waits, and holds back the one whose turn it was. When it waits already, it is let past until it waits again:
   * the one held back is starved meanwhile, as by a long pause. One that was let past may give way again before it waits.
   */
  yieldTo(session: S | undefined): Delivery;
}

/** A session that never waits, because it spins on the state directory, makes room for others after so long, as on an operating system. */
const SLICE_US = 100_000;

export function openSchedule<S extends Seat>(seats: readonly S[]): Schedule<S> {
  let current: S | null = null;
  let sliceEnds_us = 0;
  /** Who was let past, and by whom. */
  let yields: { to: S; by: S | null }[] = [];

  const heldFor = (seat: S) => yields.find(({ by }) => by === seat)?.to;
  function drop(isOver: (letPast: (typeof yields)[number]) => boolean) {
    yields = yields.filter((letPast) => !isOver(letPast));
  }
  const canGo = (seat: S) => seat.alive && !seat.paused && !heldFor(seat);

  return {
    turn(now_us) {
      if (current && canGo(current) && current.ready_us <= now_us && now_us < sliceEnds_us) return current;
      let best: S | null = null;
      for (const seat of seats) if (seat.ready_us <= now_us && canGo(seat) && (!best || isBefore(seat, best))) best = seat;
      current = best;
      sliceEnds_us = now_us + SLICE_US;
      return best;
    },
    nextReady_us() {
      let next_us = Infinity;
      for (const seat of seats) if (canGo(seat)) next_us = Math.min(next_us, seat.ready_us);
      return next_us;
    },
    waits(session) {
      if (current === session) current = null;
      drop(({ to, by }) => to === session || (!session.alive && by === session));
    },
    yieldTo(session) {
      if (!session) return refused('there is no such session');
      if (!session.alive) return refused(`${session.name} has ended`);
      if (session.paused) return refused(`${session.name} is paused`);
      if (session.ready_us === Infinity) return refused(`${session.name} waits for no timer`);
      if (session === current) return refused(`it is ${session.name}'s turn already`);
      const holder = heldFor(session);
      if (holder && holder !== current) return refused(`${session.name} is itself held back for ${holder.name}`);
      drop(({ to, by }) => to === current && by === session);
      yields.push({ to: session, by: current });
      return { delivered: true };
    },
  };

  function isBefore(a: S, b: S): boolean {
    const first = yields.some(({ to }) => to === a);
    const second = yields.some(({ to }) => to === b);
    if (first !== second) return first;
    return a.ready_us < b.ready_us || (a.ready_us === b.ready_us && a.order < b.order);
  }
}

function refused(why: string): Delivery {
  return { delivered: false, why };
}
