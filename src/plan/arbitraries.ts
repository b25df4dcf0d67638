import fc, { type Arbitrary } from 'fast-check';
import type { CastMember, Fault, Place, Plan, SessionRef, Window } from './plan.ts';
import type { Golden, GoldenOperation } from './scenario.ts';

/*
 * What scenarios are composed of. A place is only drawn where the golden run has been. Under `operations` numbering that is an operation or
 * a share of a window; under `clock` numbering it is always a share of a window and never a measured time, so that a seed draws the same
 * plan on a slow machine.
 */

/** A part of a run or of a window: two shares of its length, from 0 to 1. */
export interface Part {
  from: number;
  to: number;
}

/**
 * A trial takes a few operations more or less than the golden run did, as its timers fall differently. Places are drawn from this part,
 * so that they are reached all the same.
 */
export const MOST: Part = { from: 0, to: 0.9 };

/** A plan with these faults, in this order, and a cast: its members, or so many default sessions. */
export function plan(faults: (Arbitrary<Fault> | Arbitrary<Fault[]>)[], members: CastMember[] | number = 1): Arbitrary<Plan> {
  const cast = typeof members === 'number' ? Array.from({ length: members }, (): CastMember => ({})) : members;
  return fc.tuple(...(faults as Arbitrary<Fault | Fault[]>[])).map((drawn) => ({ cast, faults: drawn.flat() }));
}

/** The same thing, done at any of the places. */
export function at(places: Arbitrary<Place>, action: Fault['action']): Arbitrary<Fault> {
  return places.map((where) => ({ where, action }));
}

/** A pause at any of the places, until any of some others is reached. */
export function pauseUntil(places: Arbitrary<Place>, until: Place[]): Arbitrary<Fault> {
  return fc.tuple(places, fc.constantFrom(...until)).map(([where, until]) => ({ where, action: { do: 'pause', until } }));
}

/** A kill of `session` at any time of a golden run: at an operation, or in the middle of what it does between two. */
export function killAnywhere(golden: Golden, session: SessionRef): Arbitrary<Fault> {
  const kill = (window: Window, within: Part) => at(momentIn(golden, session, window, within), { do: 'kill' });
  const operations = part(numbered(golden, session), MOST);
  const choices: { weight: number; arbitrary: Arbitrary<Fault> }[] = [];
  if (has(golden, 'holding')) choices.push({ weight: 2, arbitrary: kill('holding', MOST) });
  if (operations.length > 0) choices.push({ weight: 6, arbitrary: killAt(session, operations) });
  // A clock sees little more there than the program's start, and the golden run's was cold: it took several times as long as any after it.
  else if (has(golden, 'acquiring')) choices.push({ weight: 1, arbitrary: kill('acquiring', { from: 0, to: 0.1 }) });
  // The last operations are reached by what they are, as their numbers move.
  if (operations.length > 0 && has(golden, 'releasing')) choices.push({ weight: 1, arbitrary: kill('releasing', { from: 0, to: 0 }) });
  if (choices.length === 0) choices.push({ weight: 1, arbitrary: kill('idle', MOST) });
  return fc.oneof(...choices);
}

/** A kill of `session` in a window: before, after or torn in an operation in it, or in the middle of what it does between two. */
export function killIn(golden: Golden, session: SessionRef, window: Window, within: Part): Arbitrary<Fault> {
  const moment = at(momentIn(golden, session, window, within), { do: 'kill' });
  const operations = part(operationsIn(golden, session, window), within);
  if (operations.length === 0) return moment;
  return fc.oneof({ weight: 1, arbitrary: moment }, { weight: 3, arbitrary: killAt(session, operations) });
}

/** A kill at one of these operations: before it, after it, or when it has written a part of its bytes. */
function killAt(session: SessionRef, operations: NumberedOperation[]): Arbitrary<Fault> {
  return fc.constantFrom(...operations).chain(({ n, changes, bytes }) => {
    const where = { at: 'operation', session, n, edge: 'before' } as const;
    const edges: Arbitrary<Fault>[] = [
      fc.constant({ where, action: { do: 'kill' } }),
      fc.constant({ where: { ...where, edge: 'after' }, action: { do: 'kill' } }),
    ];
    if (changes && bytes !== null && bytes > 1)
      edges.push(fc.integer({ min: 1, max: bytes - 1 }).map((torn) => ({ where, action: { do: 'tear', bytes: torn } })));
    return fc.oneof(...edges);
  });
}

/** A place of `session` in a window: before an operation in it where they are numbered, else a share of its length. */
export function placeIn(golden: Golden, session: SessionRef, window: Window, within: Part): Arbitrary<Place> {
  const operations = part(operationsIn(golden, session, window), within);
  return operations.length > 0
    ? fc.constantFrom(...operations).map(({ n }): Place => ({ at: 'operation', session, n, edge: 'before' }))
    : momentIn(golden, session, window, within);
}

/** Like `placeIn`; but every second time it is one of the few places where the session is about to change something. */
export function placeToWrite(golden: Golden, session: SessionRef, window: Window, within: Part): Arbitrary<Place> {
  const anywhere = placeIn(golden, session, window, within);
  const changing = part(operationsIn(golden, session, window), within).filter(({ changes }) => changes);
  return changing.length === 0 ? anywhere : fc.oneof(anywhere, bySite(session, 'before', changing));
}

/** An operation of `session` that the test accepts, drawn by its site. For scenarios of drivers that number operations. */
export function operationOf(
  golden: Golden,
  session: SessionRef,
  edge: 'before' | 'after',
  within: Part,
  test: (operation: GoldenOperation) => boolean = () => true,
): Arbitrary<Place & { at: 'operation' }> {
  return bySite(session, edge, part(numbered(golden, session), within).filter(test));
}

/** Before an operation that made an event: whoever has lost the lock when he comes to carry it out must not get it accepted. */
export function beforeEvent(golden: Golden, session: SessionRef, within: Part): Arbitrary<Place> {
  return operationOf(golden, session, 'before', within, ({ events }) => events > 0);
}

/**
 * Around an operation of `session` from its first look at the lock to its first event, which is given by what it is (`link(work/*\/*.claim)#1`): a successor has more to do there
 * than the golden run, which had nobody before it, so that a number would lead to something else.
 */
export function whileTakingOver({ operations }: Golden, session: SessionRef): Arbitrary<Place & { at: 'operation' }> {
  const isAcquiring = ({ windows }: GoldenOperation) => windows.includes('acquiring');
  const look = operations.findIndex((operation) => isAcquiring(operation) && !operation.changes);
  const from = look === -1 ? operations.findIndex(isAcquiring) : look;
  const to = operations.findIndex(({ events }) => events > 0);
  const seen = new Map<string, number>();
  const places = operations.slice(0, to + 1).map(({ kind, path }) => {
    const like = path.replace(VARYING, '*');
    const n = (seen.get(`${kind} ${like}`) ?? 0) + 1;
    seen.set(`${kind} ${like}`, n);
    return { at: 'operation' as const, session, kind, path: like, n };
  });
  const edge = fc.constantFrom('before' as const, 'after' as const);
  return fc.tuple(fc.constantFrom(...places.slice(from)), edge).map(([place, edge]) => ({ ...place, edge }));
}

/** What differs from run to run in the path of what is the same. */
const VARYING = /[0-9a-f]{8}-[0-9a-f-]+|\d+/g;

/** First what it is, the call and the kind of path, and then which of these: what happens once in a run gets the share of what happens at every turn. */
function bySite(session: SessionRef, edge: 'before' | 'after', operations: NumberedOperation[]): Arbitrary<Place & { at: 'operation' }> {
  if (operations.length === 0)
    throw new Error(
      'this scenario needs an operation of a kind that the fault-free run had none of (a write, a sync, one with an event, …)',
    );
  const sites = Map.groupBy(operations, ({ kind, path }) => `${kind} ${path.replace(VARYING, '#')}`);
  return fc
    .constantFrom(...sites.values())
    .chain((site) => fc.constantFrom(...site.map(({ n }) => ({ at: 'operation' as const, session, n, edge }))));
}

/** A share of the length that a window had in the golden run. */
export function momentIn(golden: Golden, session: SessionRef, window: Window, { from, to }: Part): Arbitrary<Place> {
  if (!has(golden, window)) return neverIn(golden, window);
  const percent = { min: Math.round(from * 100), max: Math.round(to * 100) };
  return fc.integer(percent).map((share): Place => ({ at: 'window', session, window, fraction: share / 100 }));
}

/** An operation of `session` on its way to the lock, be it a successor or a rival: whoever works must pass at least as many. */
export function beforeHolding(golden: Golden, session: SessionRef): Arbitrary<Place> | null {
  const first = golden.operations.findIndex((operation) => operation.windows.includes('holding'));
  if (first < 1) return null;
  return fc.integer({ min: 1, max: first }).map((n): Place => ({ at: 'operation', session, n, edge: 'before' }));
}

/** The same, where the operation changes something: who acts on what has changed meanwhile does the harm. */
export function beforeClaiming(golden: Golden, session: SessionRef): Arbitrary<Place> | null {
  const first = golden.operations.findIndex((operation) => operation.windows.includes('holding'));
  const changing = numbered(golden, session).filter(({ changes, windows, n }) => n <= first && changes && windows.includes('acquiring'));
  return changing.length === 0 ? null : bySite(session, 'before', changing);
}

/** The instant at which `session` is seen to hold the lock. */
export function onceAcquired(session: SessionRef): Arbitrary<Place> {
  return fc.constant({ at: 'lock', session, change: 'acquired', n: 1 });
}

/** A time since the spawn of `session`, between two multiples of the TTL. */
export function sinceSpawn(golden: Golden, session: SessionRef, within: Part): Arbitrary<Place> {
  return ttls(golden, within).map((ms) => ({ at: 'time', session, ms, since: 'start' }));
}

/** A time since the fault before this one, between two multiples of the TTL. */
export function sinceLastFault(golden: Golden, within: Part): Arbitrary<Place> {
  return ttls(golden, within).map((ms) => ({ at: 'time', ms, since: 'last-fault' }));
}

/** A duration between two multiples of the TTL, in milliseconds. */
export function ttls(golden: Golden, { from, to }: Part): Arbitrary<number> {
  return fc.integer({ min: Math.ceil(golden.ttl_ms * from), max: Math.floor(golden.ttl_ms * to) });
}

type NumberedOperation = GoldenOperation & { n: number };

/** As a place of that session counts them: those of `holder` are the ones that a session carries out while it holds the lock. */
function numbered(golden: Golden, session: SessionRef): NumberedOperation[] {
  const counted = session === 'holder' ? golden.operations.filter((operation) => operation.windows.includes('holding')) : golden.operations;
  return counted.map((operation, index) => ({ ...operation, n: index + 1 }));
}

/** The operations that are in a window both when they begin and when they are over. */
function operationsIn(golden: Golden, session: SessionRef, window: Window): NumberedOperation[] {
  const isInside = (operation: GoldenOperation | undefined) =>
    operation?.windows.includes(window) === true && (window === 'releasing' || !operation.windows.includes('releasing'));
  return numbered(golden, session).filter((operation, index, all) => isInside(operation) && isInside(all[index + 1]));
}

function part<T>(list: T[], { from, to }: Part): T[] {
  return list.slice(Math.floor(list.length * from), Math.floor(list.length * to));
}

function has(golden: Golden, window: Window): boolean {
  return golden.windows_ms[window] !== undefined || golden.operations.some((operation) => operation.windows.includes(window));
}

/** @throws {Error} Always: what a scenario says when it can draw nothing, because the fault-free run was never in a window. */
export function neverIn(golden: Golden, window: Window): never {
  const seen = Object.keys(golden.windows_ms).join(', ') || 'none at all';
  throw new Error(`this scenario needs a kernel that is seen ${window}, and the fault-free run never was (windows seen: ${seen})`);
}
