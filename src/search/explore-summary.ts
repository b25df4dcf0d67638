import type { Subject } from '../campaign/campaign.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import type { TrialRecord } from '../history/record.ts';
import { type Finding, findingsOf, type ReplayTarget, replayCommand } from '../judge/findings.ts';
import { fingerprintOf } from '../judge/fingerprint.ts';
import { upperBound } from '../stats/clopper-pearson.ts';
import type { CrashKind } from './crash-points.ts';

/** What is searched: every single crash, every deviation of the schedule, or sampled schedules. */
export type SearchKind = 'crashes' | 'bounded' | 'pct';

/** What is to be explored, and how. */
export interface ExploreOptions {
  campaign: LoadedCampaign;
  /** The campaign as it was named, for the commands that replay a trial. */
  target: string;
  search: SearchKind;
  subject: string;
  variant: string | null;
  /** Null: the golden run's single session, without any fault. */
  scenario: string | null;
  seed: number;
  /** How sessions are crashed. */
  crash: CrashKind;
  /** So many crashes, or deviations, in one trial at most. */
  depth: number;
  /** So many trials at most. */
  budget: number;
  workers: number;
  signal?: AbortSignal;
  onTrial?(progress: { done: number; total: number; record: TrialRecord }): void;
}

/** What was there to be explored at one depth, and how much of it was. */
export interface Level {
  depth: number;
  /** Places × what can be done there. */
  points: number;
  /** Of these, those that nothing tells apart are one. */
  states: number;
  /** Trials run. Fewer than `states`: a sample drawn from the seed. */
  tried: number;
}

export interface ExploreFinding extends Finding {
  /** All that showed it, in the order of their text, numbers by size; with the operation at which the last fault fell, e.g. `rename out.json`. */
  plans: { plan: string; operation: string | null }[];
  /** The trial, and the time, at which it was first seen. */
  firstTrial: number;
  firstMs: number;
}

/** DESIGN 4.6, and more. */
export interface ExploreSummary {
  schema: 'crash-campaign/explore@1';
  campaign: string;
  search: SearchKind;
  crash: CrashKind;
  subject: string;
  variant: string | null;
  scenario: string;
  seed: number;
  /** Of the undisturbed run whose operations were numbered. */
  operations: number;
  points: number;
  states: number;
  /** Trials that held every invariant. */
  recovered: number;
  /** Trials in which a crash or a deviation was never reached, so that they say nothing. */
  void: number;
  levels: Level[];
  /** Of schedules: how many pairs (operation site × window) there are at the first depth, and in how many of them something was tried. */
  pairs: { tried: number; of: number } | null;
  /** Of sampled schedules: with 95 % confidence, a schedule drawn like these breaks something with no greater probability. */
  bound: { trials: number; broken: number; probability: number } | null;
  findings: ExploreFinding[];
  verdict: 'pass' | 'fail' | 'void';
  exitCode: number;
  reasons: string[];
  interrupted: boolean;
  wallMs: number;
}

/** What a search found, before it is summed up. */
export interface Explored extends Pick<ExploreSummary, 'campaign' | 'search' | 'crash' | 'subject' | 'variant' | 'scenario' | 'seed'> {
  operations: number;
  levels: Level[];
  pairs: ExploreSummary['pairs'];
  /** In the order in which they ended. */
  trials: SeenTrial[];
  interrupted: boolean;
  wallMs: number;
}

export interface SeenTrial {
  record: TrialRecord;
  /** Real time since the search began. */
  seenMs: number;
}

const CONFIDENCE = 0.95;
const EXIT_CODE = { pass: 0, fail: 1, void: 2 } as const;

/** Sums a search up. A search without points, or in which not even one trial said anything, is void and never a pass. */
export function summarise(explored: Explored, subjects: Subject[], replay: ReplayTarget): ExploreSummary {
  const { trials, interrupted, levels, ...facts } = explored;
  const records = trials.map(({ record }) => record);
  const findings = findingsOf(records, subjects, replay).map((finding) => located(finding, trials, replay));
  const count = (verdict: TrialRecord['verdict']) => records.filter((record) => record.verdict === verdict).length;
  const [held, broken, voided] = [count('held'), count('broken'), count('void')];
  const unknown = findings.filter(({ known }) => !known);
  const reasons = {
    fail: unknown.map(({ invariant, subject, message }) => `${subject} broke ${invariant}: ${message}`),
    void: [
      ...(levels.every(({ points }) => points === 0)
        ? ['there was no point to try: see whether the kernel does anything to its state directory, and whether sessions contend for it']
        : held + broken === 0
          ? ['no trial said anything: see why they are void']
          : []),
      // Where every point is claimed to have been tried, each must have been.
      ...(facts.search === 'crashes' && voided > 0 ? [`${voided} crashes were never reached (${voidReason(records)})`] : []),
      ...(interrupted ? ['it was interrupted: this is what the trials until then say'] : []),
    ],
  };
  const verdict = reasons.fail.length > 0 ? 'fail' : reasons.void.length > 0 ? 'void' : 'pass';
  const sum = (of: 'points' | 'states') => levels.reduce((total, level) => total + level[of], 0);
  return {
    schema: 'crash-campaign/explore@1',
    ...facts,
    points: sum('points'),
    states: sum('states'),
    recovered: held,
    void: voided,
    levels,
    bound:
      facts.search === 'pct' && held + broken > 0
        ? { trials: held + broken, broken, probability: upperBound(broken, held + broken, CONFIDENCE) }
        : null,
    findings,
    verdict,
    exitCode: EXIT_CODE[verdict],
    interrupted,
    reasons: [...reasons.fail, ...reasons.void],
  };
}

/** Its plan was not drawn from its seed, so the command that replays it gives both. */
function located(finding: Finding, trials: SeenTrial[], replay: ReplayTarget): ExploreFinding {
  const isIt = ({ record }: SeenTrial) => record.violations.some((violation) => fingerprintOf(violation) === finding.fingerprint);
  const first = trials.findIndex(isIt);
  return {
    ...finding,
    plans: trials
      .filter(isIt)
      .map(({ record: { plan, landed } }) => ({ plan, operation: landed.at(-1)?.operation ?? null }))
      .toSorted((a, b) => a.plan.localeCompare(b.plan, 'en', { numeric: true })),
    replay: replayCommand({ ...finding, driver: 'sim' }, replay, finding.plan),
    firstTrial: first + 1,
    firstMs: trials[first]?.seenMs ?? 0,
  };
}

function voidReason(records: TrialRecord[]): string {
  const record = records.find(({ verdict }) => verdict === 'void');
  return `${record?.void_reasons[0]}, of the plan ${record?.plan}`;
}
