import { z } from 'zod';
import type { Difference } from '../../history/difference.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { WINDOWS } from '../../plan/plan.ts';

const text = z.string();
const count = z.int().min(0);
const ms = z.number().min(0).nullable();
const windows = z.partialRecord(z.enum(WINDOWS), count);
const tally = z.object({ total: count, held: count, broken: count, void: count });
const split = z.object({ trials: count, recoveryMs: z.object({ min: ms, max: ms }) });

const recovery = {
  kills: count,
  censored: count,
  recoveryMs: z.object({ p50: ms, p90: ms, max: ms }),
  leftLockBehind: split,
  otherwise: split,
};

const control = z.object({
  variant: text,
  expected: text,
  met: z.boolean(),
  caught: count,
  trials: count,
  void: count,
  detectionRate: z.number().min(0).max(1).nullable(),
  firstCatch: z.int().min(1).nullable(),
  firstCatchSeed: count.nullable(),
});

const finding = z.object({
  fingerprint: text,
  invariant: text,
  site: text.nullable(),
  known: z.boolean(),
  source: text.nullable(),
  trials: count,
  scenarios: z.array(z.object({ name: text, trials: count })),
  message: text,
  seed: count,
  scenario: text,
  subject: text,
  variant: text.nullable(),
  plan: text,
  steps: count,
  replay: text,
  shrunk: z.object({ from: text, tried: count, minimal: z.boolean(), story: z.array(text) }).nullable(),
});

/** Of the histories' own entries the schema says nothing: they are the record's. */
const entry = z.custom<Difference['before']>((value) => value === null || typeof value === 'object');
const difference = z.object({ entry: count, session: text.nullable(), t_ms: z.number(), before: entry, after: entry });

const determinism = z.object({
  checked: count,
  different: z.array(z.object({ id: text, difference: difference.nullable() })),
  uncontrolled: z.array(z.object({ id: text, what: z.array(text) })),
});

/** `run --json`, `report --json`, and `run` of a gate. */
export const runSchema = z.object({
  schema: z.literal('crash-campaign/run@1'),
  campaign: text,
  driver: z.enum(['sim', 'live']),
  verdict: z.enum(['pass', 'fail', 'blind', 'void']),
  exitCode: count,
  reasons: z.array(text),
  notes: z.array(text),
  trials: tally,
  scenarios: z.array(z.object({ name: text, subject: text, trials: tally, ...recovery })),
  survival: z
    .array(
      z.object({
        scenario: text,
        subject: text,
        is: z.enum(['held', 'known', 'broken', 'void', 'not-applicable']),
        what: z.array(text),
        trials: count,
        broken: count,
      }),
    )
    .optional(),
  takeovers: z.array(z.object({ subject: text, kills: count, medianMs: ms, ttlMs: ms })).optional(),
  loaded: z.object({ trials: count, delayMs: count }).nullable().optional(),
  recovery: z.object(recovery),
  hits: z.array(z.object({ scenario: text, windows, trials: windows, operations: z.array(z.object({ operation: text, kills: count })) })),
  controls: z.array(control),
  forged: z
    .array(z.object({ invariant: text, result: z.enum(['rejected', 'accepted', 'not-plantable']), trial: text.nullable() }))
    .nullable(),
  nullCampaign: z.object({ trials: count, hits: count, broken: count }).nullable(),
  findings: z.array(finding),
  knownDefects: z.array(
    z.object({ subject: text, invariant: text, scenario: text.nullable(), site: text.nullable(), source: text, trials: count }),
  ),
  coverage: z.object({
    trials: count,
    seeds: z.object({ count, first: count.nullable(), last: count.nullable() }),
    scenarios: z.object({ covered: count, of: count }),
    cut: z.enum(['broken', 'time-budget']).nullable(),
    failureBound: z.number().min(0).max(1).nullable(),
  }),
  determinism: determinism.nullable(),
  digest: text,
  wallMs: z.number().min(0),
  virtualMs: z.number().min(0),
  runDirectory: text,
}) satisfies z.ZodType<RunSummary>;
