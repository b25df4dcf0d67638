import { isDeviation } from '../history/ends.ts';
import type { Entry, EntryOf, History } from '../history/history.ts';
import type { LandedFault } from '../history/record.ts';
import type { Action, Fault, Plan, Window } from '../plan/plan.ts';
import { printFault } from '../plan/print.ts';

/**
 * The fault account: what became of each fault of the plan, in its order. A fault is `delivered` when its effect was seen *and* it fell into a window
 * that the scenario aims at (no aims: anywhere), and `missed` when only the former. A deviation aims at nothing, nor does what is done to no session.
 * A kill counts as delivered only when the session's end says so too: one that had ended by itself a moment earlier was not killed.
 */
export function accountOf(history: History, plan: Plan, aims: Window[] | undefined): LandedFault[] {
  return plan.faults.map((fault, step) => {
    const printed = printFault(fault);
    const entries = history.entries.filter((entry) => entry.type === 'fault' && entry.step === step) as (Entry & EntryOf<'fault'>)[];
    const last = entries.at(-1);
    if (!last) return { fault: printed, state: 'armed', session: null, t_ms: null, windows: [], operation: null, why: null };
    const found = {
      fault: printed,
      session: last.session,
      t_ms: last.t_ms,
      windows: last.windows,
      operation: last.operation,
      why: last.why ?? null,
    };
    if (last.phase !== 'delivered') return { ...found, state: 'reached' };
    const survivor = fault.action.do === 'kill' || fault.action.do === 'tear' ? endNotAsked(history, last.session) : null;
    if (survivor) return { ...found, state: 'reached', why: survivor };
    const isAimed = !aims || isAimless(fault) || last.windows.some((window) => aims.includes(window));
    return { ...found, state: isAimed ? 'delivered' : 'missed', why: isAimed ? found.why : `it fell into none of: ${aims.join(', ')}` };
  });
}

/** Faults that only set the scene. */
const AIMLESS = new Set<Action['do']>(['yield', 'rival', 'reuse-pid']);

export function isAimless({ action }: Pick<Fault, 'action'>): boolean {
  return AIMLESS.has(action.do);
}

function endNotAsked({ entries }: History, session: string | null): string | null {
  const end = entries.find((entry) => entry.type === 'end' && entry.session === session);
  if (end?.type !== 'end' || end.asked) return null;
  return `${session} was not killed by it: it ended with ${end.signal ?? `code ${end.code}`}`;
}

/** Whether a fault had its effect, be it in a window that was aimed at or not. */
export function hadEffect({ state }: LandedFault): boolean {
  return state === 'delivered' || state === 'missed';
}

/** How often each window was hit. Deviations hit nothing. */
export function hitsOf(landed: LandedFault[]): Partial<Record<Window, number>> {
  const hits: Partial<Record<Window, number>> = {};
  for (const fault of landed) {
    if (!hadEffect(fault) || isDeviation(fault.fault)) continue;
    for (const window of fault.windows) hits[window] = (hits[window] ?? 0) + 1;
  }
  return hits;
}
