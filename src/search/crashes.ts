import type { History } from '../history/history.ts';
import type { Plan } from '../plan/plan.ts';
import { type CrashKind, type CrashPoint, type CrashWatch, openCrashWatch } from './crash-points.ts';
import type { Explored, Level } from './explore-summary.ts';
import type { Explorer } from './explorer.ts';

/** A crash to be recovered from. */
interface Crash {
  plan: Plan;
  watch: CrashWatch;
}

/**
 * Exhaustive crash coverage: the undisturbed run of the plan's cast is crashed at each of its operations, and recovered.
 * At depth 2 each recovery is crashed again in the same way. Crash states that are the same are recovered once, whichever way led to them.
 */
export async function exploreCrashes(explorer: Explorer, { cast }: Plan): Promise<Pick<Explored, 'operations' | 'levels' | 'pairs'>> {
  const { crash, depth } = explorer.options;
  const undisturbed: Plan = { cast, faults: [] };
  const watch = openCrashWatch(crash);
  const base = await explorer.probe(undisturbed, watch.watch);
  const explored = { operations: base.record.operations, levels: [] as Level[], pairs: null };
  if (base.record.verdict === 'broken') return explored;

  const states = new Set<string>();
  const points = watch.points(base.history, 0, undisturbed);
  let found = { crashes: crashesOf(undisturbed, points, states, crash), points: points.length };
  for (let level = 1; ; level++) {
    const { crashes, points } = found;
    const next = await explorer.runAll(
      explorer.sample(crashes, explorer.left()),
      ({ history }, { plan, watch }) => ({ plan, points: watch.points(history, killedLast(history) + 1, plan) }),
      level < depth ? ({ watch }) => watch.watch : undefined,
    );
    explored.levels.push({ depth: level, points, states: crashes.length, tried: next.length });
    if (level === depth) return explored;
    found = {
      crashes: next.flatMap(({ plan, points }) => crashesOf(plan, points, states, crash)),
      points: next.reduce((sum, { points }) => sum + points.length, 0),
    };
  }
}

function killedLast({ entries }: History): number {
  return entries.findLastIndex(({ type }) => type === 'killed');
}

/** The plan with one more crash at each of the points, but for those whose state is known. */
function crashesOf({ cast, faults }: Plan, points: CrashPoint[], known: Set<string>, kind: CrashKind): Crash[] {
  return points.flatMap(({ fault, state }) => {
    if (known.has(state)) return [];
    known.add(state);
    return [{ plan: { cast, faults: [...faults, fault] }, watch: openCrashWatch(kind) }];
  });
}
