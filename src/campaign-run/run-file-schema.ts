import { z } from 'zod';

const text = z.string();
const named = z.looseObject({ name: text });

/** As much of `run.json` as judging relies on. Fields that a later version adds are let through. */
export const runFileSchema = z.looseObject({
  schema: z.literal('crash-campaign/run-facts@1'),
  finished: z.boolean(),
  goldenRuns: z.int().min(0),
  records: z.int().min(0).optional(),
  facts: z.looseObject({
    target: text,
    defaultDriver: z.enum(['sim', 'live']),
    campaign: text,
    driver: z.enum(['sim', 'live']),
    scenarios: z.array(named),
    subjects: z.array(named),
    variants: z.array(named),
    invariants: z.array(text),
    forged: z.array(z.looseObject({ invariant: text, result: text })).nullable(),
    nullCampaign: z.boolean(),
    wallMs: z.number(),
  }),
});
