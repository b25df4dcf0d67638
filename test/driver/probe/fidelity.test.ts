import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conducted, plain } from './conduct.ts';

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', `${name}.mjs`);

test.each([
  'sync-calls',
  'async-calls',
  'file-handles',
  'streams',
  'order',
  'timers',
  'dates',
  'randomness',
  'imports',
  'thread-pool',
  'says-much',
])('a program sees the same with and without the probe: %s', async (name) => {
  const [without, under] = await Promise.all([plain(fixture(name)), conducted(fixture(name))]);
  expect(under.stdout).toBe(without.stdout);
  if (name === 'says-much') expect(under.stderr).toBe(without.stderr);
  expect({ code: under.code, signal: under.signal }).toEqual({ code: without.code, signal: without.signal });
  expect(without.code).toBe(0);
});

test.each([
  'exit-code',
  'exit-now',
  'exit-bad',
  'exit-in-exit',
  'throws',
  'throws-later',
  'rejects',
  'throws-handled',
  'throws-in-exit',
  'signal-handled',
  'signal-default',
  'signal-kill',
  'signal-bad',
  'before-exit',
  'abort',
  'top-level-await',
])('a process ends as it does without the probe: %s', async (how) => {
  const [without, under] = await Promise.all([plain(fixture('ends'), { args: [how] }), conducted(fixture('ends'), { args: [how] })]);
  expect(under.stdout).toBe(without.stdout);
  expect({ code: under.code, signal: under.signal }).toEqual({ code: without.code, signal: without.signal });
  // The traces name other files; what is said of the error is the same.
  const said = ({ stderr }: { stderr: string }) => stderr.split('\n').filter((line) => /^[A-Za-z[]*(Error|Warning)/.test(line));
  expect(said(under)).toEqual(said(without));
});
