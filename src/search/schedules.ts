import { lockOf } from '../campaign/expand.ts';
import type { History } from '../history/history.ts';
import type { Fault, Plan } from '../plan/plan.ts';
import { type Stream, stream } from '../random/stream.ts';
import { type Deviation, deviationsOf } from './deviations.ts';
import type { Explored, Level } from './explore-summary.ts';
import type { Explorer } from './explorer.ts';
import { placesOf, type SchedulePlace } from './places.ts';

type Result = Pick<Explored, 'operations' | 'levels' | 'pairs'>;

/** A plan, and the deviation that was added to it last. */
interface Schedule {
  plan: Plan;
  pair: string;
  /** How many of its last faults were drawn, of schedules that are sampled. */
  changes?: number;
}

/**
 * Bounded preemption: the scenario's plan with one deviation at every place where sessions conflict, then with two: one more in each of these
 * schedules, after the first. What has not been tried comes first; of what the budget does not reach, a sample is drawn.
 */
export async function exploreBounded(explorer: Explorer, drawn: Plan): Promise<Result> {
  const { base, operations, places } = await baseOf(explorer, undeviated(drawn));
  const { golden, options, setup } = explorer;
  const deviations = deviationsOf(places, golden.ttl_ms);
  const levels: Level[] = [];
  const pairs = pairsOf(places);
  const ones = deviations.map((deviation) => schedule(base, deviation));
  const tried = await explorer.runAll(ones, ({ history, record }, { plan, pair }) => {
    const isParent = options.depth > 1 && record.verdict === 'held';
    return {
      plan,
      pair,
      places: isParent ? placesOf(history, lockOf(setup.campaign, options.subject), deviatedAt(history, plan) + 1) : [],
    };
  });
  levels.push({ depth: 1, points: ones.length, states: ones.length, tried: tried.length });
  if (options.depth > 1) {
    const twos = tried.flatMap(({ plan, places }) => deviationsOf(places, golden.ttl_ms).map((deviation) => schedule(plan, deviation)));
    const ran = await explorer.runAll(explorer.sample(twos, explorer.left()), () => null);
    levels.push({ depth: 2, points: twos.length, states: twos.length, tried: ran.length });
  }
  return { operations, levels, pairs: { tried: new Set(tried.map(({ pair }) => pair)).size, of: pairs.size } };
}

/** The entry with which the plan's last fault, which need not have come last, was delivered. */
function deviatedAt({ entries }: History, { faults }: Plan): number {
  return entries.findLastIndex((entry) => entry.type === 'fault' && entry.phase === 'delivered' && entry.step === faults.length - 1);
}

/** A plan in which the sessions start in one order, and what can be changed in it. */
interface Ordered {
  base: Plan;
  operations: number;
  places: SchedulePlace[];
  deviations: Deviation[];
  byUnit: Map<string, Deviation[]>;
}

/** So many orders of the sessions are run to see where they conflict: all there are of three. */
const ORDERS_MAX = 6;

/**
 * Probabilistic concurrency testing, after Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding bugs"
 * (ASPLOS 2010): the sessions start in a random order, and each schedule has `depth` changes at places drawn from all at which sessions conflict in that order.
 *
 * Their guarantee, as far as it goes here: what one order of n sessions and one set of d changes out of k bring about is found with a chance of at least 1 / (n! · k^d) in each schedule. It
 * holds for changes that are drawn evenly, as all but the first are; that one is drawn among the kinds that have come first least often, so that rare ones get their share at the cost of
 * frequent ones. A change of theirs lowers a thread's priority for good; here a session is held back until another has got so far, at most until it has ended.
 */
export async function explorePct(explorer: Explorer, drawn: Plan): Promise<Result> {
  const { golden, options, setup } = explorer;
  const scenario = options.scenario ?? '';
  const { cast, faults } = undeviated(drawn);
  const bases: Ordered[] = [];
  for (const order of ordersOf(cast.length, stream('pct', 'orders', setup.campaign.name, scenario, options.seed))) {
    const { base, operations, places } = await baseOf(explorer, { cast, faults: [...startingIn(order), ...faults] });
    const deviations = deviationsOf(places, golden.ttl_ms);
    if (deviations.length > 0) bases.push({ base, operations, places, deviations, byUnit: Map.groupBy(deviations, ({ unit }) => unit) });
  }
  const draws = new Map(bases.flatMap(({ byUnit }) => [...byUnit.keys()].map((unit) => [unit, 0])));
  const tried = new Set<string>();

  function draw(i: number): Schedule {
    const random = stream('pct', setup.campaign.name, scenario, options.seed, i);
    const { base, deviations, byUnit } = random.pick(bases);
    const units = [...byUnit.keys()];
    const least = Math.min(...units.map((unit) => draws.get(unit) as number));
    const unit = random.pick(units.filter((unit) => draws.get(unit) === least));
    draws.set(unit, least + 1);
    const first = random.pick(byUnit.get(unit) as Deviation[]);
    const more = Array.from({ length: options.depth - 1 }, () => random.pick(deviations));
    // Of two at one place the later is meant.
    const chosen = new Map([first, ...more].map((deviation) => [JSON.stringify(deviation.fault.where), deviation]));
    for (const { pair } of chosen.values()) tried.add(pair);
    const changes = [...chosen.values()].map(({ fault }) => fault);
    return { plan: { ...base, faults: [...base.faults, ...changes] }, pair: '', changes: changes.length };
  }

  const ran = await explorer.runAll(
    Array.from({ length: bases.length === 0 ? 0 : explorer.left() }, (_, i) => draw(i)),
    () => null,
  );
  return {
    operations: bases[0]?.operations ?? 0,
    levels: [{ depth: options.depth, points: ran.length, states: ran.length, tried: ran.length }],
    pairs: { tried: tried.size, of: pairsOf(bases.flatMap(({ places }) => places)).size },
  };
}

/** Distinct orders of so many sessions, that of their start first. */
function ordersOf(sessions: number, random: Stream): number[][] {
  const started = Array.from({ length: sessions }, (_, i) => i + 1);
  const orders = new Map([[started.join(), started]]);
  let count = 1;
  for (const n of started) count = Math.min(count * n, ORDERS_MAX);
  while (orders.size < count) {
    const order = [...Map.groupBy(started, () => random.next())].toSorted(([a], [b]) => a - b).flatMap(([, session]) => session);
    orders.set(order.join(), order);
  }
  return [...orders.values()];
}

/** Each session lets those past at its first operation that were started after it and are to go before it. */
function startingIn(order: number[]): Fault[] {
  return order.flatMap((session, position) =>
    order
      .slice(0, position)
      .flatMap((earlier): Fault | [] =>
        earlier > session
          ? { where: { at: 'operation', session: `s${session}`, n: 1, edge: 'before' }, action: { do: 'yield', to: `s${earlier}` } }
          : [],
      ),
  );
}

/** The places of a plan's run. A run that breaks something of itself has none. */
async function baseOf({ probe, setup }: Explorer, base: Plan) {
  const { history, record } = await probe(base);
  const places = record.verdict === 'broken' ? [] : placesOf(history, lockOf(setup.campaign, record.subject), 0);
  return { base, operations: record.operations, places };
}

/** Without deviations of its own. */
function undeviated({ cast, faults }: Plan): Plan {
  return { cast, faults: faults.filter(({ action }) => action.do !== 'yield') };
}

function schedule({ cast, faults }: Plan, { fault, pair }: Deviation): Schedule {
  return { plan: { cast, faults: [...faults, fault] }, pair };
}

function pairsOf(places: SchedulePlace[]): Set<string> {
  return new Set(places.map(({ pair }) => pair));
}
