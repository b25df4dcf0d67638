import type { DriverName } from '../campaign/campaign.ts';
import type { Comparison } from '../compare/compare.ts';
import { EXIT_CODE } from '../judge/campaign-verdict.ts';
import { isFailure } from '../judge/findings.ts';
import type { RunSummary } from '../judge/run-summary.ts';

/** What recovery was compared with. */
export type Against =
  | { is: 'baseline'; file: string; git: string | null }
  | { is: 'commit'; ref: string; commit: string; runDirectory: string }
  /** Fresh seeds that no baseline knows, or a baseline that is written for the first time. */
  | { is: 'nothing'; why: string };

/** DESIGN 4.6, and more. */
export interface Gate {
  schema: 'crash-campaign/gate@1';
  campaign: string;
  driver: DriverName;
  verdict: 'pass' | 'fail' | 'blind' | 'void';
  exitCode: number;
  /** Why it is not a pass, gravest first. */
  reasons: string[];
  /** What does not touch the verdict and should be known all the same. */
  notes: string[];
  /** What to do next. */
  next: string[];
  against: Against;
  run: RunSummary;
  /** Of the subject whose comparison weighs most; null: nothing was compared. */
  compare: Comparison | null;
  /** The comparisons of all other subjects. */
  otherSubjects: Comparison[];
}

/** What a gate is judged by. */
export interface Gated {
  run: RunSummary;
  /** One for each subject that both sides have. */
  comparisons: Comparison[];
  against: Against;
  /** Why there could be no comparison, where there was to be one. */
  refusal: string | null;
  /** What else should be known of the two sides. */
  notes: string[];
}

const VERDICT = { regressed: 'fail', inconclusive: 'void', ok: 'pass' } as const;
const WEIGHT = ['fail', 'blind', 'void', 'pass'] as const;

/**
 * One verdict over a run and its comparisons. Pure.
 *
 * It weighs as a run's does: what is proven first, be it a broken invariant or a slower recovery, then blindness, then too little to tell. Reasons come in that order,
 * broken invariants before slow recoveries, because what is fast and wrong is wrong.
 */
export function judgeGate({ run, comparisons, against, refusal, notes }: Gated): Gate {
  const ranked = comparisons.toSorted((a, b) => WEIGHT.indexOf(VERDICT[a.decision]) - WEIGHT.indexOf(VERDICT[b.decision]));
  const verdicts = [run.verdict, ...(refusal === null ? [] : ['void']), ...ranked.map(({ decision }) => VERDICT[decision])];
  const verdict = WEIGHT.find((grave) => verdicts.includes(grave)) ?? 'void';
  const [compare = null, ...otherSubjects] = ranked;
  const said = (grave: Gate['verdict']) => [
    ...(run.verdict === grave ? run.reasons : []),
    ...(refusal !== null && grave === 'void' ? [refusal] : []),
    ...ranked.filter(({ decision }) => VERDICT[decision] === grave).flatMap((comparison) => reasonsOf(comparison, comparisons.length > 1)),
  ];
  return {
    schema: 'crash-campaign/gate@1',
    campaign: run.campaign,
    driver: run.driver,
    verdict,
    exitCode: EXIT_CODE[verdict],
    reasons: (['fail', 'blind', 'void'] as const).flatMap(said),
    notes: [
      ...(against.is === 'nothing' ? [`recovery was compared with nothing: ${against.why}`] : []),
      ...new Set([...notes, ...run.notes, ...comparisons.flatMap(({ notes }) => notes)]),
    ],
    next: nextOf(verdict, run, compare, against),
    against,
    run,
    compare,
    otherSubjects,
  };
}

function reasonsOf({ contender, reasons }: Comparison, isNamed: boolean): string[] {
  return isNamed ? reasons.map((reason) => `${contender.subject}: ${reason}`) : reasons;
}

function nextOf(verdict: Gate['verdict'], run: RunSummary, compare: Comparison | null, against: Against): string[] {
  if (verdict === 'pass') return [];
  const finding = run.findings.find(isFailure);
  const changed = compare?.decision === 'regressed' ? compare.seeds.exact?.changedMost.find(({ changeMs }) => changeMs > 0) : undefined;
  return [
    ...(finding ? [`see what breaks: ${finding.replay} --timeline`] : []),
    ...(changed ? [`see the seed that slowed down most: ${changed.replay.contender} --timeline`] : []),
    ...(compare?.decision === 'regressed' && against.is === 'baseline'
      ? ['if it is meant to be slower, say so in the change: gate --update writes the new baseline, and its diff is there to be reviewed']
      : []),
    ...(compare?.decision === 'regressed' && against.is === 'commit'
      ? ['if it is meant to be slower, say by how much it may be: --margin']
      : []),
    ...(compare?.decision === 'inconclusive' ? ['run more seeds: 50 are a smoke test, 200 or more decide'] : []),
    ...(run.verdict === 'blind' || run.verdict === 'void' ? [`see the whole run: npx crash-campaign report ${run.runDirectory}`] : []),
  ];
}
