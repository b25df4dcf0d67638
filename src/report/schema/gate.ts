import { z } from 'zod';
import type { Gate } from '../../gate/gate.ts';
import { comparisonSchema } from './compare.ts';
import { runSchema } from './run.ts';

const text = z.string();

/** `gate --json`. */
export const gateSchema = z.object({
  schema: z.literal('crash-campaign/gate@1'),
  campaign: text,
  driver: z.enum(['sim', 'live']),
  verdict: z.enum(['pass', 'fail', 'blind', 'void']),
  exitCode: z.int().min(0),
  reasons: z.array(text),
  notes: z.array(text),
  next: z.array(text),
  against: z.discriminatedUnion('is', [
    z.object({ is: z.literal('baseline'), file: text, git: text.nullable() }),
    z.object({ is: z.literal('commit'), ref: text, commit: text, runDirectory: text }),
    z.object({ is: z.literal('nothing'), why: text }),
  ]),
  run: runSchema,
  compare: comparisonSchema.nullable(),
  otherSubjects: z.array(comparisonSchema),
}) satisfies z.ZodType<Gate>;
