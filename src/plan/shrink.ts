import type { Action, Fault, Place, Plan } from './plan.ts';
import { printPlan } from './print.ts';
import { faultSchema } from './schema.ts';

export interface Minimised {
  plan: Plan;
  /** How many candidates were run. */
  tried: number;
  /** Whether every simpler candidate of `plan` was tried and did not fail: false when the budget ran out first. */
  minimal: boolean;
}

/**
 * The simplest plan that is reached from a failing one by taking, again and again, the first simpler candidate that still fails.
 * Stable: a minimal plan minimises to itself, provided that `stillFails` answers the same each time.
 *
 * @param stillFails Whether a candidate fails in the same way as the plan did.
 * @param budget How many candidates may be tried.
 * @param workers How many are tried at once. What is reached does not depend on it, but for a budget that runs out: of several that fail the first counts.
 */
export async function minimise(
  plan: Plan,
  stillFails: (candidate: Plan) => Promise<boolean>,
  budget: number,
  workers = 1,
): Promise<Minimised> {
  let tried = 0;
  /** Candidates that did not fail: another way may lead to the same one. */
  const held = new Set<string>();
  for (;;) {
    const candidates = untried(plan, held);
    let simpler: Plan | undefined;
    while (simpler === undefined) {
      const batch = next(candidates, workers);
      if (batch.length === 0) return { plan, tried, minimal: true };
      if (tried >= budget) return { plan, tried, minimal: false };
      batch.splice(budget - tried);
      tried += batch.length;
      const fails = await Promise.all(batch.map(stillFails));
      for (const [index, candidate] of batch.entries()) if (!fails[index]) held.add(printPlan(candidate));
      simpler = batch[fails.indexOf(true)];
    }
    plan = simpler;
  }
}

/** Not `take`, which would end the generator. */
function next<T>(generator: Generator<T>, count: number): T[] {
  const items: T[] = [];
  while (items.length < count) {
    const { value, done } = generator.next();
    if (done) break;
    items.push(value);
  }
  return items;
}

/** Its simpler plans, each once, without those that are known to hold. */
function* untried(plan: Plan, held: Set<string>): Generator<Plan> {
  const seen = new Set(held);
  for (const candidate of shrinkPlan(plan)) {
    const printed = printPlan(candidate);
    if (!seen.has(printed)) yield candidate;
    seen.add(printed);
  }
}

/**
 * Simpler plans, the greatest simplification first: fewer faults, fewer deviations, a smaller cast, simpler and earlier faults, shorter pauses.
 * Each is strictly simpler than `plan`, so that shrinking comes to an end.
 */
export function* shrinkPlan(plan: Plan): Iterable<Plan> {
  const { cast, faults } = plan;
  const isDeviation = (fault: Fault) => fault.action.do === 'yield';

  yield* halves(faults).map((kept) => ({ cast, faults: kept }));
  yield* without(faults, (fault) => !isDeviation(fault)).map((kept) => ({ cast, faults: kept }));
  yield* without(faults, isDeviation).map((kept) => ({ cast, faults: kept }));
  if (cast.length > 1)
    yield* without(cast, () => true)
      .reverse()
      .map((kept) => ({ cast: kept, faults }));
  for (const [index, member] of cast.entries()) {
    if (member.subject !== undefined || member.host !== undefined) yield { cast: cast.with(index, {}), faults };
  }
  for (const [index, fault] of faults.entries()) {
    for (const simpler of simplerFaults(fault)) {
      if (faultSchema.safeParse(simpler).success) yield { cast, faults: faults.with(index, simpler) };
    }
  }
}

function* simplerFaults({ where, action }: Fault): Iterable<Fault> {
  for (const simpler of simplerPlaces(where)) yield { where: simpler, action };
  for (const simpler of simplerActions(action)) yield { where, action: simpler };
}

function* simplerPlaces(place: Place): Iterable<Place> {
  switch (place.at) {
    case 'operation':
      if (place.edge === 'after') yield { ...place, edge: 'before' };
      yield* smaller(place.n, 1).map((n) => ({ ...place, n }));
      break;
    case 'point':
    case 'event':
    case 'lock':
      yield* smaller(place.n, 1).map((n) => ({ ...place, n }));
      break;
    case 'window':
      yield* smaller(Math.round(place.fraction * 10_000), 0, 100).map((share) => ({ ...place, fraction: share / 10_000 }));
      break;
    case 'time':
      yield* smaller(place.ms, 0, 100).map((ms) => ({ ...place, ms }));
      break;
  }
}

function* simplerActions(action: Action): Iterable<Action> {
  switch (action.do) {
    case 'pause':
      if ('until' in action) for (const until of simplerPlaces(action.until)) yield { do: 'pause', until };
      else yield* smaller(action.ms, 0, 100).map((ms): Action => ({ do: 'pause', ms }));
      break;
    case 'tear':
      yield { do: 'kill' };
      yield* smaller(action.bytes, 0).map((bytes): Action => ({ do: 'tear', bytes }));
      break;
    case 'jump':
      yield* smaller(Math.abs(action.ms), 0, 100).map((ms): Action => ({ do: 'jump', ms: Math.sign(action.ms) * ms || 0 }));
      break;
    case 'outage':
    case 'cut':
    case 'delay':
      yield* smaller(action.ms, 0, 100).map((ms): Action => ({ ...action, ms }));
      break;
    case 'partition':
      if (action.direction === 'both') for (const direction of ['to-service', 'from-service'] as const) yield { ...action, direction };
      yield* smaller(action.ms, 0, 100).map((ms): Action => ({ ...action, ms }));
      break;
    case 'reboot':
      yield { do: 'kill' };
      break;
    case 'power-cut':
      yield { do: 'kill' };
      yield { do: 'reboot' };
      break;
  }
}

/** Either half of a list of more than three: many faults go faster by halves than one by one. */
function halves<T>(list: T[]): T[][] {
  const middle = Math.ceil(list.length / 2);
  return list.length > 3 ? [list.slice(0, middle), list.slice(middle)] : [];
}

/** The list without one of its items, for each that may go. */
function without<T>(list: T[], mayGo: (item: T) => boolean): T[][] {
  return list.flatMap((item, index) => (mayGo(item) ? [list.toSpliced(index, 1)] : []));
}

/**
 * Whole numbers from `least` up towards `value`, in halving steps, the smallest first. With a `grain`, only multiples of it:
 * whether a pause lasts 4.1 s or 4.13 s tells nobody anything, and each step costs a trial.
 */
function smaller(value: number, least: number, grain = 1): number[] {
  const found = new Set<number>();
  for (let step = value - least; step >= 1; step = Math.floor(step / 2)) {
    const candidate = Math.floor((value - step) / grain) * grain;
    if (candidate >= least) found.add(candidate);
  }
  return [...found];
}
