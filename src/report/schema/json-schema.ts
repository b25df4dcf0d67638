import { z } from 'zod';
import { baselineSchema } from '../../gate/baseline.ts';
import { trialRecordSchema } from '../../history/record-schema.ts';
import { compareSchema } from './compare.ts';
import { gateSchema } from './gate.ts';
import { runSchema } from './run.ts';

/** What is written for machines, by the name of its JSON Schema in schema/. The number is that of the `schema` field: whatever breaks a reader gets another. */
export const SCHEMAS = {
  'run-1': runSchema,
  'compare-1': compareSchema,
  'gate-1': gateSchema,
  'trial-1': trialRecordSchema,
  'baseline-1': baselineSchema,
} as const;

/** A JSON Schema (draft 2020-12). It says what is there at least: a reader must let pass what it does not know. */
export function jsonSchemaOf(name: keyof typeof SCHEMAS): string {
  const [of, version] = name.split('-');
  const schema = z.toJSONSchema(SCHEMAS[name], { io: 'input', unrepresentable: 'any', reused: 'ref' });
  return `${JSON.stringify({ $id: `crash-campaign/${of}@${version}`, ...schema }, null, 2)}\n`;
}
