import { endsOf } from '../history/ends.ts';
import type { History } from '../history/history.ts';
import type { LandedFault, TrialRecord, Violation } from '../history/record.ts';
import { recoveriesOf } from '../history/recovery.ts';
import type { Invariant } from '../invariants/invariant.ts';
import type { Fault, Plan, Window } from '../plan/plan.ts';
import { accountOf, hadEffect, hitsOf, isAimless } from './landed.ts';

export interface Trial {
  history: History;
  plan: Plan;
  invariants: Invariant[];
  /** The windows at which the scenario aims; absent: anywhere will do. */
  aims?: Window[];
  /** So many of the plan's last faults may be left out as well: one that is never reached voids nothing. */
  spare?: number;
}

export type Judgement = Pick<TrialRecord, 'verdict' | 'violations' | 'void_reasons' | 'landed' | 'kills' | 'ends' | 'hits'>;

/**
 * Judges one trial. Pure.
 *
 * The assumptions come first: was the trial what it claims to be? If not, holding every invariant proves nothing, and it is `void`. Breaking one proves something all the
 * same, so a violation is never hidden behind a broken assumption. The one exception are liveness invariants in a trial that somebody
 * else cut short: that work was not finished in time says nothing when the time was taken away.
 *
 * A fault that did not land voids the trial even when earlier ones did: a plan of three kills of which two landed is another, easier plan. Excused is only
 * the scenery of a plan whose real faults all landed. A trial that ran into its deadline has broken `finishes`, whatever was still to come.
 * An empty plan assumes nothing.
 */
export function judgeTrial({ history, plan, invariants, aims, spare = 0 }: Trial): Judgement {
  const landed = accountOf(history, plan, aims);
  const ends = endsOf(history);
  const cutShort = [
    ...ends
      .filter(({ how }) => how === 'foreign-kill')
      .map(({ session, signal }) => `${session} was ended by ${signal} from outside the trial (out of memory?)`),
    ...(history.entries.some(({ type }) => type === 'final') ? [] : ['the trial was stopped before its end']),
  ];
  const violations = violationsOf(history, cutShort.length > 0 ? invariants.filter(({ liveness }) => !liveness) : invariants);
  const void_reasons = [...cutShort, ...missing(landed, plan, plan.faults.length - spare), ...wide(landed, plan, aims)];
  return {
    verdict: violations.length > 0 ? 'broken' : void_reasons.length > 0 ? 'void' : 'held',
    violations,
    void_reasons,
    landed,
    kills: recoveriesOf(history),
    ends,
    hits: hitsOf(landed),
  };
}

function violationsOf(history: History, invariants: Invariant[]): Violation[] {
  return invariants.flatMap(({ name, check }) => check(history).map((violation) => ({ invariant: name, ...violation })));
}

function missing(landed: LandedFault[], plan: Plan, needed: number): string[] {
  const isNeeded = plan.faults.map((fault) => !isAimless(fault));
  const isOnlyScenery = !isNeeded.includes(true);
  return landed.flatMap((fault, step) => {
    if (hadEffect(fault) || !(isNeeded[step] || isOnlyScenery) || (fault.state === 'armed' && step >= needed)) return [];
    return fault.state === 'armed'
      ? `${fault.fault} was never reached`
      : `${fault.fault} was not delivered: ${fault.why ?? 'the trial ended'}`;
  });
}

function wide(landed: LandedFault[], plan: Plan, aims: Window[] | undefined): string[] {
  const faults = landed.filter((_, step) => !isAimless(plan.faults[step] as Fault));
  if (!aims || faults.length === 0 || faults.some(({ state }) => state === 'delivered') || !faults.some(hadEffect)) return [];
  return [`no fault landed while a session was ${aims.join(', ')}`];
}
