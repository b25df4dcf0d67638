import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UnreadableFileError } from '../history/lines.ts';
import { WINDOWS } from '../plan/plan.ts';
import type { Golden } from '../plan/scenario.ts';

export const GOLDEN_FILE = 'golden.json';

const count = z.int().min(0);

const goldenSchema = z.looseObject({
  numbering: z.enum(['operations', 'clock']),
  duration_ms: z.number(),
  ttl_ms: z.number(),
  events: count,
  points: z.array(z.looseObject({ name: z.string(), count })),
  windows_ms: z.partialRecord(z.enum(WINDOWS), z.number()),
  operations: z.array(
    z.looseObject({
      kind: z.string(),
      path: z.string(),
      bytes: count.nullable(),
      changes: z.boolean(),
      events: count,
      windows: z.array(z.enum(WINDOWS)),
    }),
  ),
}) satisfies z.ZodType<Golden>;

/** What the golden run of a run measured; null while that is not written. Throws UnreadableFileError. */
export async function readGolden(runDirectory: string): Promise<Golden | null> {
  const path = join(runDirectory, GOLDEN_FILE);
  const fail = (why: string) => new UnreadableFileError(path, null, `${why}. Take it as the run wrote it, or start a new run`);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw fail(code === undefined ? 'it is not JSON' : message);
  }
  const { error, data } = goldenSchema.safeParse(value);
  if (data) return data;
  const [{ path: field, message }] = error.issues as [z.core.$ZodIssue];
  throw fail(`it is not what a golden run measured: ${field.join('.')}: ${message}`);
}
