import type { History } from '../history/history.ts';
import type { Fault, Plan } from '../plan/plan.ts';
import { stream } from '../random/stream.ts';
import { type Deviation, deviationsOf } from './deviations.ts';
import type { Explored, Level } from './explore-summary.ts';
import type { Explorer } from './explorer.ts';
import { placesOf, type SchedulePlace } from './places.ts';

type Result = Pick<Explored, 'operations' | 'levels' | 'pairs'>;

/** A plan, and the deviation that was added to it last. */
interface Schedule {
  plan: Plan;
  pair: string;
}

/**
 * Bounded preemption: the scenario's plan with one deviation at every place where sessions conflict, then with two: one more in each of these
 * schedules, after the first. What has not been tried comes first; of what the budget does not reach, a sample is drawn.
 */
export async function exploreBounded(explorer: Explorer, drawn: Plan): Promise<Result> {
  const { base, operations, places } = await baseOf(explorer, drawn);
  const { golden, options, setup } = explorer;
  const deviations = deviationsOf(places, golden.ttl_ms);
  const levels: Level[] = [];
  const pairs = pairsOf(places);
  const ones = deviations.map((deviation) => schedule(base, deviation));
  const tried = await explorer.runAll(ones, ({ history, record }, { plan, pair }) => {
    const isParent = options.depth > 1 && record.verdict === 'held';
    return { plan, pair, places: isParent ? placesOf(history, setup.campaign.lock, deviatedAt(history, plan) + 1) : [] };
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

/**
 * Probabilistic concurrency testing, after Burckhardt et al. (ASPLOS 2010): every schedule has `depth` changes at places drawn from all
 * at which sessions conflict. Each is drawn among what has been drawn least often so far, so that rare sites get their share.
 */
export async function explorePct(explorer: Explorer, drawn: Plan): Promise<Result> {
  const { base, operations, places } = await baseOf(explorer, drawn);
  const { golden, options, setup } = explorer;
  const deviations = deviationsOf(places, golden.ttl_ms);
  const byUnit = [...Map.groupBy(deviations, ({ unit }) => unit).values()];
  const draws = byUnit.map(() => 0);
  const tried = new Set<string>();

  function draw(i: number): Schedule {
    const random = stream('pct', setup.campaign.name, options.scenario ?? '', options.seed, i);
    const chosen = new Map<string, Fault>();
    for (let change = 0; change < options.depth; change++) {
      const least = Math.min(...draws);
      const unit = random.pick(draws.flatMap((count, index) => (count === least ? index : [])));
      draws[unit] = least + 1;
      const { fault, pair } = random.pick(byUnit[unit] as Deviation[]);
      tried.add(pair);
      chosen.set(JSON.stringify(fault.where), fault);
    }
    return { plan: { ...base, faults: [...base.faults, ...chosen.values()] }, pair: '' };
  }

  const most = deviations.length === 0 ? 0 : explorer.left();
  const ran = await explorer.runAll(
    Array.from({ length: most }, (_, i) => draw(i)),
    () => null,
  );
  return {
    operations,
    levels: [{ depth: options.depth, points: ran.length, states: ran.length, tried: ran.length }],
    pairs: { tried: tried.size, of: pairsOf(places).size },
  };
}

/** The plan without its own deviations, and the places of its run. A run that breaks something of itself has none. */
async function baseOf({ probe, setup }: Explorer, { cast, faults }: Plan) {
  const base: Plan = { cast, faults: faults.filter(({ action }) => action.do !== 'yield') };
  const { history, record } = await probe(base);
  const places = record.verdict === 'broken' ? [] : placesOf(history, setup.campaign.lock, 0);
  return { base, operations: record.operations, places };
}

function schedule({ cast, faults }: Plan, { fault, pair }: Deviation): Schedule {
  return { plan: { cast, faults: [...faults, fault] }, pair };
}

function pairsOf(places: SchedulePlace[]): Set<string> {
  return new Set(places.map(({ pair }) => pair));
}
