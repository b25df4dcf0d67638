import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { DriverName } from '../campaign/campaign.ts';
import type { Outcome } from '../compare/outcome.ts';
import type { Side } from '../compare/pair.ts';
import type { ComparedRun } from '../compare/read-run.ts';
import { requireSchema, UnreadableFileError } from '../history/lines.ts';
import type { TrialRecord } from '../history/record.ts';

/*
 * A baseline is what a reviewer sees in a pull request: one line for each trial, in order, with what recovery took. What is ordinary is left out of a line:
 * one kill, which landed, in a trial that held.
 */

const trialSchema = z.object({
  seed: z.int().min(0),
  /** Null: nobody was seen to recover. Absent: nothing was killed. */
  recovery_ms: z.number().min(0).nullable().optional(),
  left_lock_behind: z.boolean().optional(),
  censored_ms: z.number().min(0).optional(),
  duration_ms: z.number().min(0),
  kills: z.int().min(0).optional(),
  verdict: z.enum(['broken', 'void']).optional(),
  landed: z.literal(false).optional(),
  disturbed: z.literal(true).optional(),
  nondeterministic: z.literal(true).optional(),
  loaded: z.literal(true).optional(),
});

export const baselineSchema = z.object({
  schema: z.literal('crash-campaign/baseline@1'),
  campaign: z.string(),
  driver: z.enum(['sim', 'live']),
  /** As `--seeds` takes them. */
  seeds: z.string(),
  /** SHA-256 over the plans of its trials. */
  plans: z.string(),
  deadline_ms: z.number().nullable(),
  versions: z.object({ node: z.string(), 'crash-campaign': z.string(), git: z.string().nullable() }),
  subjects: z.array(z.object({ name: z.string(), scenarios: z.array(z.object({ name: z.string(), trials: z.array(trialSchema) })) })),
});

export type Baseline = z.infer<typeof baselineSchema>;
type BaselineTrial = z.infer<typeof trialSchema>;

/** What a run's trials of the kernels as they are say of recovery. Sorted, so that the same run gives the same file. */
export function baselineOf(
  subjects: ReadonlyMap<string, Outcome[]>,
  about: Pick<Baseline, 'campaign' | 'driver' | 'seeds' | 'plans'> & { versions: TrialRecord['versions'] },
): Baseline {
  const byName = <T>(groups: Iterable<[string, T]>) => [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { campaign, driver, seeds, plans, versions } = about;
  const deadlines = [...subjects.values()].flat().flatMap(({ deadlineMs }) => deadlineMs ?? []);
  return {
    schema: 'crash-campaign/baseline@1',
    campaign,
    driver,
    seeds,
    plans,
    deadline_ms: deadlines[0] ?? null,
    versions: { node: versions.node, 'crash-campaign': versions['crash-campaign'], git: versions.git },
    subjects: byName(subjects).map(([name, outcomes]) => ({
      name,
      scenarios: byName(Map.groupBy(outcomes, ({ scenario }) => scenario)).map(([name, trials]) => ({
        name,
        trials: trials.toSorted((a, b) => a.seed - b.seed).map(trialOf),
      })),
    })),
  };
}

function trialOf(outcome: Outcome): BaselineTrial {
  const { seed, verdict, kills, leftLockBehind, recoveryMs, censoredMs, durationMs, landed, isDisturbed, isNondeterministic, isLoaded } =
    outcome;
  return {
    seed,
    ...(kills > 0 && { recovery_ms: recoveryMs, left_lock_behind: leftLockBehind }),
    ...(censoredMs !== null && { censored_ms: censoredMs }),
    duration_ms: durationMs,
    ...(kills !== 1 && { kills }),
    ...(verdict !== 'held' && { verdict }),
    ...(!landed && { landed }),
    ...(isDisturbed && { disturbed: true }),
    ...(isNondeterministic && { nondeterministic: true }),
    ...(isLoaded && { loaded: true }),
  };
}

/** JSON with one trial on each line. */
export function printBaseline({ subjects, ...head }: Baseline): string {
  const trials = (list: BaselineTrial[]) => list.map((trial) => `            ${JSON.stringify(trial)}`).join(',\n');
  const scenarios = (list: Baseline['subjects'][number]['scenarios']) =>
    list
      .map(
        (scenario) =>
          `        {\n          "name": ${JSON.stringify(scenario.name)},\n          "trials": [\n${trials(scenario.trials)}\n          ]\n        }`,
      )
      .join(',\n');
  const printed = subjects.map(
    ({ name, scenarios: list }) =>
      `    {\n      "name": ${JSON.stringify(name)},\n      "scenarios": [\n${scenarios(list)}\n      ]\n    }`,
  );
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "subjects": [\n${printed.join(',\n')}\n  ]\n}\n`;
}

/** Throws UnreadableFileError; null: there is none. */
export async function readBaseline(file: string): Promise<Baseline | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new UnreadableFileError(file, null, error.message);
  });
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableFileError(file, null, 'it is not JSON: was it merged by hand? Write it again with `gate --update`');
  }
  requireSchema(file, null, value, 'crash-campaign/baseline@1');
  const { data, error } = baselineSchema.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  throw new UnreadableFileError(
    file,
    null,
    `it is not whole: ${issue?.path.join('.')}: ${issue?.message}. Write it again with \`gate --update\``,
  );
}

/** A subject of a baseline as one side of a comparison. Its plans are the contender's: their digests are alike. Null: it does not have that subject. */
export function sideOfBaseline(file: string, baseline: Baseline, contender: Side): Side | null {
  const subject = baseline.subjects.find(({ name }) => name === contender.subject);
  if (!subject) return null;
  const plans = new Map(contender.outcomes.map(({ scenario, seed, plan }) => [`${scenario}/${seed}`, plan]));
  const outcomes = subject.scenarios.flatMap(({ name, trials }) =>
    trials.map((trial) => outcomeOf(name, trial, baseline.deadline_ms, plans.get(`${name}/${trial.seed}`) ?? '')),
  );
  const { campaign, driver }: { campaign: string; driver: DriverName } = baseline;
  const { target, defaultDriver } = contender.run;
  const run: ComparedRun = {
    directory: file,
    campaign,
    driver,
    target,
    defaultDriver,
    finished: true,
    torn: false,
    subjects: new Map([[contender.subject, outcomes]]),
  };
  return { run, subject: contender.subject, outcomes };
}

function outcomeOf(scenario: string, trial: BaselineTrial, deadlineMs: number | null, plan: string): Outcome {
  const { seed, recovery_ms, left_lock_behind = false, censored_ms, duration_ms, kills = 1, verdict = 'held', landed = true } = trial;
  return {
    scenario,
    seed,
    plan,
    verdict,
    landed,
    landedWhileHeld: left_lock_behind,
    isDisturbed: trial.disturbed ?? false,
    isNondeterministic: trial.nondeterministic ?? false,
    isLoaded: trial.loaded ?? false,
    kills,
    leftLockBehind: left_lock_behind,
    recoveryMs: recovery_ms ?? null,
    censoredMs: censored_ms ?? null,
    durationMs: duration_ms,
    deadlineMs,
    // What work costs is not kept: of that a comparison with a commit tells.
    events: 0,
    operations: 0,
    operationsByKind: null,
    acquisitions: null,
  };
}
