import { expect, test } from 'vitest';
import { launcherRemedy } from '../../../src/driver/live/launchers.ts';

test.each([
  'npx kernel',
  '/usr/bin/npm run kernel',
  'pnpm exec kernel',
  'yarn kernel',
  'tsx kernel.ts',
  './node_modules/.bin/tsx kernel.ts',
  'node node_modules/.bin/tsx kernel.ts',
  'node --no-warnings node_modules/tsx/dist/cli.mjs kernel.ts',
  'node --watch kernel.js',
  'node --run kernel',
  'sh -c kernel',
  'bash -ec kernel',
  'busybox sh -c kernel',
  'env A=1 npx kernel',
  'env -i npx kernel',
  'timeout 5 kernel',
])('refused: %s', (command) => {
  expect(launcherRemedy(command.split(' '))).toMatch(/^(write|put|leave out) /);
});

test.each([
  'node kernel.js',
  'node --import tsx kernel.ts',
  'node node_modules/some-package/kernel.js',
  '/opt/node/bin/node kernel.ts npx',
  'sh kernel.sh',
  'sh -eu kernel.sh',
  './kernel.sh -c',
  'python3 kernel.py',
  'python3 -c pass',
  'env A=1 node kernel.js',
  'env',
])('a program: %s', (command) => {
  expect(launcherRemedy(command.split(' '))).toBe(null);
});
