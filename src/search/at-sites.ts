import { pathMatcher } from '../driver/trigger.ts';
import type { History } from '../history/history.ts';
import { GENERATED_ID } from '../judge/fingerprint.ts';
import type { Place, Plan } from '../plan/plan.ts';
import { faultSchema } from '../plan/schema.ts';

/**
 * The plan with one of its numbered operations (`s1@op#79`) given by what it is (`s1@fsync(work/1/2.wav)#1`), for each that was reached in a trial of the plan.
 * That trial's history says which operation it was, and how many like it the session had carried out before.
 */
export function atSites(plan: Plan, history: History): Plan[] {
  return plan.faults.flatMap(({ where, action }, step) => {
    const site = siteOf(where, step, history);
    const fault = { where: site ?? where, action };
    return site && faultSchema.safeParse(fault).success ? [{ ...plan, faults: plan.faults.with(step, fault) }] : [];
  });
}

function siteOf(place: Place, step: number, { entries }: History): Place | null {
  if (place.at !== 'operation' || place.kind !== undefined || place.path !== undefined || place.session === 'holder') return null;
  const reached = entries.find((entry) => entry.type === 'fault' && entry.step === step);
  if (reached?.type !== 'fault' || reached.operation === null) return null;
  const space = reached.operation.indexOf(' ');
  const [kind, path] = [reached.operation.slice(0, space), reached.operation.slice(space + 1)];
  // What a glob would take for a pattern stays a number.
  if (/[*?[\]{}()!+@|\\]/.test(path)) return null;
  // A generated id says nothing to a reader, and is another in the next world.
  const glob = path.replace(GENERATED_ID, '*');
  const matches = pathMatcher(glob);
  const before = entries.filter(
    (entry) =>
      entry.type === 'operation' && entry.session === place.session && entry.n < place.n && entry.kind === kind && matches(entry.path),
  );
  return { ...place, kind, path: glob, n: before.length + 1 };
}
