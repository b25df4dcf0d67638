import { z } from 'zod';
import { WINDOWS } from '../plan/plan.ts';
import type { TrialRecord } from './record.ts';

/*
 * What a line of `trials.ndjson` must have to be a trial. A version may write more than another reads, so fields that nobody here knows are let through.
 * From these the JSON Schema of the package is made.
 */

const text = z.string();
const nullableText = text.nullable();
/** A path that does not lead out of where it begins. */
const pathWithin = text.regex(/^(?!\.{1,2}(\/|$))[^/]+(\/(?!\.{1,2}(\/|$))[^/]+)*$/, 'it must be a path within the run directory');
const ms = z.number().min(0);
const count = z.int().min(0);
const windows = z.array(z.enum(WINDOWS));

const landed = z.looseObject({
  fault: text,
  state: z.enum(['armed', 'reached', 'delivered', 'missed']),
  session: nullableText,
  t_ms: ms.nullable(),
  windows,
  operation: nullableText,
  why: nullableText,
});

const violation = z.looseObject({
  invariant: text,
  message: text,
  sessions: z.array(text),
  entries: z.array(count),
  site: text.optional(),
});

const kill = z.looseObject({
  session: text,
  t_ms: ms,
  windows,
  operation: nullableText,
  left_lock_behind: z.boolean(),
  takeover_ms: ms.nullable(),
  progress_ms: ms.nullable(),
  recovery_ms: ms.nullable(),
  ttl_floor_ms: ms,
  censored_ms: ms.nullable(),
});

const lastOperation = z.looseObject({ n: count, kind: text, path: text, nth: count, done: z.boolean() });

const end = z.looseObject({
  session: text,
  how: z.enum(['done', 'killed', 'robbed', 'allowed', 'own-error', 'foreign-kill', 'stuck']),
  code: z.int().nullable(),
  signal: nullableText,
  reason: nullableText,
  last_operation: lastOperation.nullable().optional(),
});

const repetition = z.discriminatedUnion('is', [
  z.looseObject({ is: z.literal('same') }),
  z.looseObject({ is: z.literal('uncontrolled') }),
  z.looseObject({
    is: z.literal('different'),
    digest: text,
    difference: z.looseObject({}).nullable() as unknown as z.ZodType<Extract<TrialRecord['repetition'], { is: 'different' }>['difference']>,
  }),
]);

export const trialRecordSchema = z.looseObject({
  schema: z.literal('crash-campaign/trial@1'),
  id: text,
  campaign: text,
  subject: text,
  variant: nullableText,
  scenario: text,
  seed: count,
  driver: z.enum(['sim', 'live']),
  numbering: z.enum(['operations', 'clock']).optional(),
  plan: text,
  landed: z.array(landed),
  verdict: z.enum(['held', 'broken', 'void']),
  violations: z.array(violation),
  void_reasons: z.array(text),
  kills: z.array(kill),
  ends: z.array(end),
  events: count,
  operations: count,
  operations_by_kind: z.record(text, count).optional(),
  acquisitions: count.optional(),
  deadline_ms: ms.optional(),
  hits: z.partialRecord(z.enum(WINDOWS), count),
  nondeterministic: z.array(text),
  duration_ms: ms,
  wall_ms: ms,
  digest: text,
  repetition: repetition.optional(),
  loaded: z.looseObject({ delay_ms: ms }).optional(),
  versions: z.looseObject({ node: text, 'crash-campaign': text, git: nullableText }),
  artefacts: pathWithin.nullable(),
}) satisfies z.ZodType<TrialRecord>;
