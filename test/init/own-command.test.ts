import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandOf, controlled, filesOf } from '../../src/init/own-command.ts';

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'own-command-'));
  for (const path of [
    'src/worker.mjs',
    'src/app.json',
    'worker.mjs',
    'package.json',
    'campaigns/other/kernel.mjs',
    'node_modules/a/index.js',
  ]) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), '');
  }
});
afterAll(() => rmSync(project, { recursive: true }));

test.each([
  { given: ['node', 'src/worker.mjs', '--dir', '{state}'], is: ['node', '{kernel}/src/worker.mjs', '--dir', '{state}'] },
  {
    given: ['node', './src/worker.mjs', '--config=src/app.json'],
    is: ['node', '{kernel}/src/worker.mjs', '--config={kernel}/src/app.json'],
  },
  { given: ['./worker.mjs', 'nothing', '--level=3', '-v', ''], is: ['{kernel}/worker.mjs', 'nothing', '--level=3', '-v', ''] },
  { given: ['/bin/sh', '..'], is: ['/bin/sh', '..'] },
])('$given', ({ given, is }) => {
  expect(commandOf(given, project)).toEqual(is);
});

test('a file of the project that is given by its whole path', () => {
  expect(commandOf(['node', join(project, 'worker.mjs'), project], project)).toEqual(['node', '{kernel}/worker.mjs', '{kernel}']);
});

test('its folder is copied, and the whole project where that is not enough; without other campaigns', () => {
  const whole = ['package.json', 'src', 'worker.mjs'];
  expect(filesOf(['node', '{kernel}/src/worker.mjs', '--config={kernel}/src/app.json'], project)).toEqual([['src', 'package.json'], whole]);
  expect(filesOf(['node', '{kernel}/worker.mjs'], project)).toEqual([whole]);
  expect(filesOf(['true'], project)).toEqual([whole]);
});

test('the control is run before a node program, and becomes any other', () => {
  expect(controlled(['node', '{kernel}/worker.mjs'], 'mine')).toMatchObject({
    command: ['node', '--import', '{kernel}/campaigns/mine/before.mjs', '{kernel}/worker.mjs'],
    file: 'campaigns/mine/before.mjs',
  });
  expect(controlled(['./worker'], 'mine')).toMatchObject({
    command: ['sh', '{kernel}/campaigns/mine/session.sh', './worker'],
    text: expect.stringMatching(/^#!\/bin\/sh\n[^]*\n# #component goes-on\n# #end\nexec "\$@"\n$/),
  });
});
