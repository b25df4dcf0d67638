import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { z } from 'zod';
import { SCHEMAS } from '../../src/report/schema/json-schema.ts';

/** Throws unless the value is valid by the JSON Schema file of that name, and has nothing that the schema does not tell of. */
export function requireValid(name: keyof typeof SCHEMAS, value: unknown): void {
  const file = fileURLToPath(new URL(`../../schema/${name}.schema.json`, import.meta.url));
  const written = JSON.parse(JSON.stringify(value));
  z.fromJSONSchema(JSON.parse(readFileSync(file, 'utf8'))).parse(written);
  // These leave out what they do not know.
  expect(SCHEMAS[name].parse(written)).toEqual(written);
}
