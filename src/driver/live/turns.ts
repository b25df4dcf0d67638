import type { Operation } from '../../history/history.ts';
import { operationOf } from '../sim/protocol.ts';
import type { Delivery, Happening } from '../world.ts';
import type { Told } from './observe.ts';

/** A session whose probe holds it before and after each operation until it is let go. */
interface Held {
  name: string;
  readonly paused: boolean;
  /** Lets it go, for a part of its write where that is said. */
  answer(answer?: { tear: number }): void;
  readonly over: Promise<unknown>;
}

/**
 * Operations one at a time: each is told before it is carried out and when it is over, and until the harness has looked nobody else begins one. So a place at an operation is as exact as under sim,
 * and it is known who did what; the clock and all that lies between the operations are real.
 */
export function openTurns(happen: (happening: Happening) => void) {
  const pending = new Map<Held, Operation>();
  const counts = new Map<Held, number>();
  /** Before an operation that the harness has seen, in the order in which they came there. */
  const ready: Held[] = [];
  let performing: Held | null = null;
  /** Called when a write has stopped in the middle. */
  const torn = new Map<Held, () => void>();
  /** What is to be done when the harness has seen to the happening that it was given last. */
  let afterwards = () => {};

  function letOneGo() {
    const index = performing === null ? ready.findIndex(({ paused }) => !paused) : -1;
    const [next] = index < 0 ? [] : ready.splice(index, 1);
    if (!next) return;
    performing = next;
    next.answer();
  }

  return {
    heard(session: Held, told: Told) {
      if (told.type === 'done') {
        const operation = pending.get(session);
        pending.delete(session);
        const error = told.done?.error;
        // As under sim: the bytes of a write are those that are the same wherever the state directory lies.
        const bytes = operation?.bytes ?? told.done?.bytes;
        const outcome = { ...(error !== undefined && { error }), ...(bytes !== undefined && { bytes }) };
        if (operation) happen({ type: 'after', session: session.name, operation: { ...operation, ...outcome } });
      } else if (told.type === 'torn') {
        torn.get(session)?.();
      } else if (told.type === 'operation' || told.type === 'signal') {
        const n = (counts.get(session) ?? 0) + 1;
        counts.set(session, n);
        const operation = { n, ...operationOf(told), lock: false };
        pending.set(session, operation);
        happen({ type: 'before', session: session.name, operation });
      }
    },

    /** The harness is about to see to this happening of a session. */
    taken({ type }: Happening, session: Held) {
      if (type === 'before') afterwards = () => ready.push(session);
      if (type === 'after')
        afterwards = () => {
          if (performing === session) performing = null;
          session.answer();
        };
    },

    /** It has seen to the last one. */
    goOn() {
      afterwards();
      afterwards = () => {};
      letOneGo();
    },

    /** Lets a session that is held before a write do so many bytes of it. It stays in the middle of that until it is killed. */
    async tear(session: Held, bytes: number): Promise<Delivery> {
      if (!pending.has(session)) return { delivered: false, why: `${session.name} was not held before an operation` };
      const stopped = new Promise<Delivery>((resolve) => torn.set(session, () => resolve({ delivered: true })));
      session.answer({ tear: bytes });
      return Promise.race([
        stopped,
        session.over.then((): Delivery => ({ delivered: false, why: `${session.name} ended in the middle of its write` })),
      ]);
    },

    /** A session that has ended, or stands still, keeps nobody waiting. */
    stands(session: Held, how: 'ended' | 'paused') {
      if (performing === session) performing = null;
      if (how === 'ended' && ready.includes(session)) ready.splice(ready.indexOf(session), 1);
    },
  };
}
