import type { JudgedTrial } from '../campaign-run/run-trial.ts';
import type { Plan } from '../plan/plan.ts';
import { type CrashPoint, type CrashWatch, openCrashWatch } from './crash-points.ts';
import type { Explored, Level } from './explore-summary.ts';
import type { Explorer } from './explorer.ts';

/** A crash to be recovered from. */
interface Crash {
  plan: Plan;
  watch: CrashWatch;
}

/**
 * Exhaustive crash coverage: the undisturbed run of the plan's cast is crashed before, after and torn in each of its operations, and recovered.
 * At depth 2 each recovery is crashed again in the same way. Crash states that are the same are recovered once, whichever way led to them.
 */
export async function exploreCrashes(explorer: Explorer, { cast }: Plan): Promise<Pick<Explored, 'operations' | 'levels' | 'pairs'>> {
  const { depth } = explorer.options;
  const undisturbed: Plan = { cast, faults: [] };
  const watch = openCrashWatch();
  const base = await explorer.probe(undisturbed, watch.watch);
  const explored = { operations: base.record.operations, levels: [] as Level[], pairs: null };
  if (base.record.verdict === 'broken') return explored;

  const states = new Set<string>();
  let found = crashesOf(undisturbed, watch.points(base.history, 0, undisturbed), states);
  for (let level = 1; ; level++) {
    const { crashes, points } = found;
    const chosen = explorer.sample(crashes, explorer.left());
    found = { crashes: [], points: 0 };
    const then = ({ history }: JudgedTrial, { plan, watch }: Crash) => {
      const killed = history.entries.findLastIndex(({ type }) => type === 'killed');
      const more = crashesOf(plan, watch.points(history, killed + 1, plan), states);
      found.points += more.points;
      found.crashes.push(...more.crashes);
    };
    const tried = level < depth ? await explorer.runAll(chosen, then, ({ watch }) => watch.watch) : await explorer.runAll(chosen);
    explored.levels.push({ depth: level, points, states: crashes.length, tried });
    if (level === depth) return explored;
  }
}

/** The plan with one more crash at each of the points, but for those whose state is known. */
function crashesOf({ cast, faults }: Plan, points: CrashPoint[], known: Set<string>): { crashes: Crash[]; points: number } {
  const crashes = points.flatMap(({ fault, state }): Crash[] => {
    if (known.has(state)) return [];
    known.add(state);
    return [{ plan: { cast, faults: [...faults, fault] }, watch: openCrashWatch() }];
  });
  return { crashes, points: points.length };
}
