import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const brokenSchema = z.object({
  invariant: z.string(),
  site: z.string().nullable(),
  message: z.string(),
  scenario: z.string(),
  seed: z.int(),
  plan: z.string(),
  /** Faults and deviations in the plan. */
  steps: z.int(),
});

/** What one base seed made of a broken subject. */
const huntSchema = z.object({
  answer: z.literal('hunt'),
  case: z.string(),
  seed: z.int(),
  /** That caught it, or the last that was tried: `random pause-while-acquiring`. */
  strategy: z.string(),
  driver: z.enum(['sim', 'live']),
  /** Up to the first catch and with it, or all there were. */
  trials: z.int(),
  /** Those that said nothing. */
  void: z.int(),
  /** From the loading of the campaign until the first catch, with its packages in the cache. */
  seconds: z.number(),
  caught: brokenSchema.nullable(),
  /** What was caught, with its operations given by what they are, which on the real clock come under other numbers. Null: under live, or it does not come to the same. */
  named: z.string().nullable().default(null),
  /** Null: under live, or it did not break again. */
  shrunk: z.object({ plan: z.string(), steps: z.int(), tried: z.int(), minimal: z.boolean() }).nullable(),
});

/** What a part of the trials made of a fixed subject. */
const twinSchema = z.object({
  answer: z.literal('twin'),
  case: z.string(),
  strategy: z.string(),
  /** The base seed of this part. */
  block: z.int(),
  trials: z.int(),
  void: z.int(),
  /** Whatever broke, but for what the subject declares. */
  broken: z.array(brokenSchema),
});

/** What the real clock said: in how many trials of how many the bug showed. */
const liveSchema = z.object({
  answer: z.literal('live'),
  case: z.string(),
  /** The first that showed it; null: none did. */
  plan: z.string().nullable(),
  broken: z.object({ shown: z.int(), of: z.int(), void: z.int() }),
  fixed: z.object({ shown: z.int(), of: z.int(), void: z.int() }).nullable(),
});

const answerSchema = z.discriminatedUnion('answer', [huntSchema, twinSchema, liveSchema]);
export type Broken = z.infer<typeof brokenSchema>;
export type HuntAnswer = z.infer<typeof huntSchema>;
export type TwinAnswer = z.infer<typeof twinSchema>;
export type LiveAnswer = z.infer<typeof liveSchema>;
export type Answer = z.infer<typeof answerSchema>;

const FILE = fileURLToPath(new URL('answers.ndjson', import.meta.url));

/** What has been answered, in the order in which it was. To have a case answered anew, remove its lines. */
export function readAnswers(): Answer[] {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => answerSchema.parse(JSON.parse(line)));
}

/** One write, so that two who append at once do not mix their lines. */
export function keep(answer: Answer): void {
  appendFileSync(FILE, `${JSON.stringify(answer)}\n`);
}
