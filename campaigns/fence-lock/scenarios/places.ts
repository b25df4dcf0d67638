import fc, { type Arbitrary } from 'fast-check';
import type { CastMember, Fault, Place, SessionRef } from '../../../src/plan/plan.ts';
import type { Golden } from '../../../src/plan/scenario.ts';

/** A writer holds the lock at these, and the lock says so as far as it says anything. The event is not there yet, or there and not counted. */
const MID_WRITE = ['in-band.checked', 'in-band.published'];

/** Behind the last one nothing is left to be written. */
export function writeBeforeLast({ points }: Golden): Arbitrary<number> {
  const writes = points.find(({ name }) => name === MID_WRITE[0])?.count ?? 1;
  return fc.integer({ min: 1, max: Math.max(1, writes - 1) });
}

/** In the middle of a write of a session that is alone, and so does all of them. */
export function midWrite(golden: Golden, session: SessionRef): Arbitrary<Place> {
  return writeBeforeLast(golden).chain((n) => midWriteNumber(n, session));
}

/** In the middle of its first write, which every session does. */
export function firstWrite(session: SessionRef): Arbitrary<Place> {
  return midWriteNumber(1, session);
}

function midWriteNumber(n: number, session: SessionRef): Arbitrary<Place> {
  return fc.constantFrom(...MID_WRITE).map((name): Place => ({ at: 'point', session, name, n }));
}

/** A pause after which a holder's lease is still good, by far. */
export function shortPause(golden: Golden): Arbitrary<Fault['action']> {
  return fc.integer({ min: golden.ttl_ms * 0.15, max: golden.ttl_ms * 0.45 }).map((ms) => ({ do: 'pause', ms }));
}

/** A session that is about to do this for the first time lets another go first. */
export function standAside(session: SessionRef, to: SessionRef, operation: { kind: string; path: string }): Fault {
  return { where: { at: 'operation', session, ...operation, n: 1, edge: 'before' }, action: { do: 'yield', to } };
}

/** The others begin when the first session has got far. */
export function latecomers(sessions: SessionRef[]): Fault[] {
  return sessions.map((session) => ({ where: { at: 'operation', session, n: 1, edge: 'before' }, action: { do: 'pause', ms: 200 } }));
}

export function castOf(hosts: readonly string[]): CastMember[] {
  return hosts.map((host) => ({ host }));
}
