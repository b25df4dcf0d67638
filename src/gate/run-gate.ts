import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LoadedCampaign, loadCampaign } from '../campaign/load.ts';
import { printSeeds } from '../campaign/seeds.ts';
import { makeDirectory } from '../campaign-run/make-directory.ts';
import { type RunOptions, type RunOutcome, runCampaign } from '../campaign-run/run.ts';
import { makeRunDirectory } from '../campaign-run/run-directory.ts';
import { type Comparison, compareSides } from '../compare/compare.ts';
import type { Margin } from '../compare/margin.ts';
import type { Side } from '../compare/pair.ts';
import { type ComparedRun, readRun } from '../compare/read-run.ts';
import type { TrialRecord } from '../history/record.ts';
import { noFaults } from '../plan/no-faults.ts';
import { type Baseline, baselineOf, printBaseline, readBaseline, sideOfBaseline } from './baseline.ts';
import { withBeside } from './beside.ts';
import { type Against, type Gate, type Gated, judgeGate } from './gate.ts';
import { MergeBaseError, withMergeBase } from './merge-base.ts';
import { digestOfPlans, refusalOf, requireSameTrials } from './plans.ts';

/** What recovery is to be compared with. */
export type CompareWith =
  | { is: 'baseline'; file: string }
  /** The baseline is written, and nothing is compared. */
  | { is: 'update'; file: string }
  | { is: 'commit'; ref: string }
  | { is: 'nothing'; why: string };

export interface GateOptions {
  run: Omit<RunOptions, 'campaign' | 'existing' | 'bail' | 'freshSeeds' | 'checkDeterminism' | 'shard'> & { campaign: LoadedCampaign };
  with: CompareWith;
  margin: Margin;
}

export interface GateOutcome {
  gate: Gate;
  /** Of this version's run. */
  records: TrialRecord[];
}

/** There is no baseline to compare with. */
export class NoBaselineError extends Error {
  readonly file: string;

  constructor(file: string, campaign: string) {
    super(
      `there is no baseline ${file} to compare with. Write it with \`gate ${campaign} --update\` and commit it, or compare with a commit: --against origin/main.`,
    );
    this.name = 'NoBaselineError';
    this.file = file;
  }
}

/**
 * Runs a campaign with its controls, compares its recovery, and judges both together.
 * Throws NoBaselineError and IncomparableError before anything is run, MergeBaseError, and what loading and running a campaign throw.
 */
export function runGate(options: GateOptions): Promise<GateOutcome> {
  switch (options.with.is) {
    case 'baseline':
      return againstBaseline(options, options.with.file);
    case 'update':
      return updateBaseline(options, options.with.file);
    case 'commit':
      return againstCommit(options, options.with.ref);
    case 'nothing':
      return againstNothing(options, options.with.why);
  }
}

async function againstNothing({ run }: GateOptions, why: string): Promise<GateOutcome> {
  const outcome = await runCampaign(run);
  return judged(outcome, { against: { is: 'nothing', why } });
}

async function againstBaseline({ run, margin }: GateOptions, file: string): Promise<GateOutcome> {
  const baseline = await readBaseline(file);
  if (!baseline) throw new NoBaselineError(file, run.target);
  requireSameTrials(file, baseline, { campaign: run.campaign.campaign, driver: run.driver, seeds: run.seeds });
  const outcome = await runCampaign(run);
  const against: Against = { is: 'baseline', file, git: baseline.versions.git };
  const now = await comparable(outcome, run.signal);
  if (!now) return judged(outcome, { against });
  // Whatever the baseline is worth, what the run says of the kernel stands.
  const refusal = refusalOf(file, baseline, digestOfPlans([...now.subjects.values()].flat()));
  if (refusal !== null) return judged(outcome, { against, refusal });
  const { comparisons, notes } = compareSubjects(now, margin, (side) => sideOfBaseline(file, baseline, side));
  return judged(outcome, { against, comparisons, notes: [...notes, ...strangenessOf(baseline, outcome)] });
}

async function updateBaseline({ run }: GateOptions, file: string): Promise<GateOutcome> {
  const outcome = await runCampaign(run);
  const isWritten = outcome.summary.verdict === 'pass' && run.signal?.aborted !== true;
  if (isWritten) {
    const { subjects, campaign, driver } = await readRun(outcome.summary.runDirectory);
    const [{ versions }] = outcome.records as [TrialRecord];
    const plans = digestOfPlans([...subjects.values()].flat());
    makeDirectory(dirname(file));
    await writeFile(file, printBaseline(baselineOf(subjects, { campaign, driver, seeds: printSeeds(run.seeds), plans, versions })));
  }
  const why = isWritten ? `${file} was written` : `${file} was left as it is, since a run that is no pass is nothing to be held to`;
  return judged(outcome, { against: { is: 'nothing', why } });
}

async function againstCommit({ run, margin }: GateOptions, ref: string): Promise<GateOutcome> {
  return withMergeBase(run.campaign.directory, ref, async ({ commit, pathOf }) => {
    const other = await loadOther(pathOf(run.campaign.file), commit);
    const runDirectory = await makeRunDirectory(run.runDirectory, run.campaign.campaign.name, new Date());
    const { target, driver, signal } = run;
    const beside = { campaign: other, target, driver, signal, runDirectory: join(runDirectory, 'merge-base') };
    const outcome = await withBeside(beside, ({ follow }) =>
      runCampaign({
        ...run,
        runDirectory,
        async onProgress(event) {
          if (event.type === 'trial') await follow(event.record);
          await run.onProgress?.(event);
        },
      }),
    );
    const against: Against = { is: 'commit', ref, commit, runDirectory: beside.runDirectory };
    const now = await comparable(outcome, run.signal);
    if (!now) return judged(outcome, { against });
    const base = await readRun(beside.runDirectory);
    const compared = compareSubjects(now, margin, ({ subject }) => {
      const outcomes = base.subjects.get(subject);
      return outcomes === undefined ? null : { run: base, subject, outcomes };
    });
    return judged(outcome, { against, ...compared });
  });
}

async function loadOther(file: string, commit: string): Promise<LoadedCampaign> {
  try {
    return await loadCampaign(file);
  } catch (error) {
    throw new MergeBaseError(
      `the campaign of ${commit.slice(0, 12)} can't be loaded: ${(error as Error).message}`,
      'Compare with --baseline.',
    );
  }
}

/** The run as one side of comparisons; null when it has nothing to compare: its golden run did not hold, or it was interrupted. */
async function comparable({ summary }: RunOutcome, signal: AbortSignal | undefined): Promise<ComparedRun | null> {
  const isWhole = signal?.aborted !== true && summary.scenarios.some(({ name }) => name !== noFaults.name);
  return isWhole ? readRun(summary.runDirectory) : null;
}

/** Compares each subject with the same one of the other side, in the scenarios that both have. */
function compareSubjects(
  run: ComparedRun,
  margin: Margin,
  otherSide: (side: Side) => Side | null,
): { comparisons: Comparison[]; notes: string[] } {
  const notes: string[] = [];
  const comparisons = [...run.subjects].flatMap(([subject, outcomes]) => {
    const baseline = otherSide({ run, subject, outcomes });
    if (!baseline) {
      notes.push(`${subject} is new: its recovery was compared with nothing`);
      return [];
    }
    const contender = { run, subject, outcomes };
    const [before, now] = [scenariosOf(baseline), scenariosOf(contender)];
    notes.push(...[...now].filter((name) => !before.has(name)).map((name) => `${name} is new: it was compared with nothing`));
    return compareSides({ baseline: within(baseline, now), contender: within(contender, before) }, margin);
  });
  return { comparisons, notes: [...new Set(notes)] };
}

function scenariosOf({ outcomes }: Side): Set<string> {
  return new Set(outcomes.map(({ scenario }) => scenario));
}

function within(side: Side, scenarios: ReadonlySet<string>): Side {
  return { ...side, outcomes: side.outcomes.filter(({ scenario }) => scenarios.has(scenario)) };
}

/** What may make a baseline differ although the kernel does not. */
function strangenessOf({ versions, driver }: Baseline, { records }: RunOutcome): string[] {
  const [first] = records;
  const differing = (['node', 'crash-campaign'] as const).filter((name) => first && first.versions[name] !== versions[name]);
  return [
    ...differing.map((name) => `the baseline was made with ${name} ${versions[name]}, and this with ${first?.versions[name]}`),
    ...(driver === 'live' ? ['times of a real clock are those of a machine: --against compares on one and the same'] : []),
  ];
}

function judged({ summary, records }: RunOutcome, said: Pick<Gated, 'against'> & Partial<Omit<Gated, 'run'>>): GateOutcome {
  return { gate: judgeGate({ comparisons: [], refusal: null, notes: [], ...said, run: summary }), records };
}
