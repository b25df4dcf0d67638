import { z } from 'zod';
import type { Comparison } from '../../compare/compare.ts';

const text = z.string();
const count = z.int().min(0);
const number = z.number().nullable();
const decision = z.enum(['regressed', 'ok', 'inconclusive']);
const side = z.object({ subject: text, runDirectory: text, broken: count });
const range = z.object({ min: number, max: number });

const attrition = z.object({
  planned: count,
  ran: count,
  landed: count,
  landedWhileHeld: count,
  judged: count,
  killed: count,
  loaded: count,
  censored: count,
  harnessErrors: count,
});

const mechanism = z.array(
  z.object({ mechanism: z.enum(['left-behind', 'clean', 'never', 'all']), trials: count, recoveryMs: range, durationMs: range }),
);

const question = z.object({
  name: z.enum(['left-lock-behind', 'never-recovered', 'clean-recovery', 'left-behind-recovery']),
  n: count,
  of: z.enum(['share', 'ms']),
  baseline: number,
  contender: number,
  change: z.enum(['share', 'ratio', 'ms']),
  estimate: number,
  lower: number,
  upper: number,
  shiftMs: z.object({ estimate: number, lower: number, upper: number }).optional(),
  test: z.enum(['McNemar mid-p', 'McNemar exact', 'signed-rank']),
  p: number,
  pHolm: number,
  decision: decision.nullable(),
});

const exact = z.object({
  same: count,
  slower: count,
  faster: count,
  changedMost: z.array(
    z.object({
      scenario: text,
      seed: count,
      plan: text,
      baselineMs: number,
      contenderMs: number,
      changeMs: z.number(),
      replay: z.object({ baseline: text, contender: text }),
    }),
  ),
});

const sideBySide = z.object({ baseline: number, contender: number });

export const comparisonSchema = z.object({
  schema: z.literal('crash-campaign/compare@1'),
  campaign: text,
  driver: z.enum(['sim', 'live']),
  baseline: side,
  contender: side,
  margin: z.union([z.object({ relative: z.number() }), z.object({ absoluteMs: z.number() })]),
  decision,
  reasons: z.array(text),
  notes: z.array(text),
  attrition: z.object({ baseline: attrition, contender: attrition }),
  mechanism: z.object({ baseline: mechanism, contender: mechanism }).nullable(),
  questions: z.array(question),
  rmstMs: z
    .object({
      horizon: z.number(),
      method: z.enum(['mean', 'kaplan-meier']),
      n: count,
      baseline: z.number(),
      contender: z.number(),
      difference: z.number(),
      lower: number,
      upper: number,
      tolerated: z.number(),
      p: number,
      resamples: count,
      decision,
    })
    .nullable(),
  shifts: z.array(z.object({ p: z.number(), baseline: number, contender: number, shift: number, lower: number, upper: number })),
  seeds: z.object({ paired: count, timed: count, exact: exact.nullable() }),
  cost: z.array(z.object({ kind: text, perEvent: sideBySide, perAcquisition: sideBySide })).nullable(),
}) satisfies z.ZodType<Comparison>;

/** `compare --json`. */
export const compareSchema = comparisonSchema.extend({ exitCode: count });
