import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf, SCHEMAS } from '../../src/report/schema/json-schema.ts';
import { broken, record } from '../fixtures/records.ts';
import { requireValid } from './valid.ts';

/* Outputs of real runs are held against the schemas where they are made: see test/gate and test/cli. */

const names = Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[];

describe('JSON Schemas', () => {
  test.each(names)('%s in schema/ is what the code says (vitest -u writes it)', async (name) => {
    await expect(jsonSchemaOf(name)).toMatchFileSnapshot(fileURLToPath(new URL(`../../schema/${name}.schema.json`, import.meta.url)));
  });

  test('let pass what is valid, and what a later version adds', () => {
    requireValid('trial-1', record(1));
    requireValid('trial-1', broken(1, [{ site: 'file a' }]));
    const schema = z.fromJSONSchema(JSON.parse(jsonSchemaOf('trial-1')));
    expect(schema.safeParse({ ...record(1), colour: 'blue' }).success).toBe(true);
  });

  test.each([
    ['a verdict that there is not', { verdict: 'fine' }],
    ['a version that it is not of', { schema: 'crash-campaign/trial@2' }],
    ['a text where a number is', { seed: '1' }],
  ])('refuse %s', (_, change) => {
    const schema = z.fromJSONSchema(JSON.parse(jsonSchemaOf('trial-1')));
    expect(schema.safeParse({ ...record(1), ...change }).success).toBe(false);
  });
});
