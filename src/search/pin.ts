import type { LastOperation } from '../history/history.ts';
import type { TrialRecord } from '../history/record.ts';
import { parsePlan } from '../plan/parse.ts';
import type { Place, Plan } from '../plan/plan.ts';
import { faultSchema } from '../plan/schema.ts';

/** So many plans are tried at most: each kill whose operation was not told to be over doubles their number. */
const PLANS_MAX = 32;

/**
 * The plan of a live trial with its kills at the operations at which they were seen to land, in the order in which the plans are worth trying.
 * By what the operation was first: how many there were before it depends on how long a session waited, and so on the clock. Where a kill came within
 * an operation nobody knows whether that was carried out: then both edges are given. Faults other than kills keep their places, which mean the same under both drivers.
 *
 * @param record Of a trial under live with a probe.
 */
export function pinned(record: Pick<TrialRecord, 'plan' | 'landed' | 'ends'>): Plan[] {
  const plan = parsePlan(record.plan);
  return [atSite, atNumber].flatMap((placed) => {
    let plans = [plan];
    plan.faults.forEach(({ action }, step) => {
      const session = action.do === 'kill' ? killed(record, step) : null;
      if (session === null) return;
      const last = record.ends.find((end) => end.session === session)?.last_operation;
      if (last === undefined) return;
      const kills = edges(last).flatMap((edge) => {
        const fault = faultSchema.safeParse({ where: placed(session, last, edge), action });
        return fault.success ? [fault.data] : [];
      });
      // Cut as they grow: there would be a million of them after twenty kills.
      plans = kills.flatMap((fault) => plans.map((one) => ({ ...one, faults: one.faults.with(step, fault) }))).slice(0, PLANS_MAX / 2);
    });
    return plans;
  });
}

/** The session that the fault killed. */
function killed({ landed, ends }: Pick<TrialRecord, 'landed' | 'ends'>, step: number): `s${number}` | null {
  const { state, session = null } = landed[step] ?? {};
  const isDelivered = state === 'delivered' || state === 'missed';
  return isDelivered && ends.some((end) => end.session === session && end.how === 'killed') ? (session as `s${number}`) : null;
}

type Edge = 'before' | 'after';

function edges(last: LastOperation | null): Edge[] {
  if (last === null) return ['before'];
  return last.done ? ['after'] : ['before', 'after'];
}

/** A session that had begun none is killed before its first. */
function atNumber(session: `s${number}`, last: LastOperation | null, edge: Edge): Place {
  return { at: 'operation', session, n: last?.n ?? 1, edge };
}

function atSite(session: `s${number}`, last: LastOperation | null, edge: Edge): Place {
  // What a glob would take for a pattern stays a number.
  if (last === null || /[*?[\]{}()!+@|\\]/.test(last.path)) return atNumber(session, last, edge);
  return { at: 'operation', session, kind: last.kind, path: last.path, n: last.nth, edge };
}
