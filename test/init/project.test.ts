import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kebab, lookAtProject } from '../../src/init/project.ts';

test.each([
  { text: 'My Service', is: 'my-service' },
  { text: 'lock_tests.v2', is: 'lock-tests-v2' },
  { text: '2-phase', is: 'phase' },
  { text: '東京', is: null },
])('$text', ({ text, is }) => {
  expect(kebab(text)).toBe(is);
});

test.each([
  { files: {}, is: { hasManifest: false, install: 'npm install', exec: 'npx' } },
  {
    files: { 'package.json': '{"name": "@me/jobs"}', 'package-lock.json': '' },
    is: { name: 'jobs', hasCrashCampaign: false, install: 'npm ci' },
  },
  {
    files: { 'package.json': '{"devDependencies": {"crash-campaign": "1"}}', 'yarn.lock': '' },
    is: { hasCrashCampaign: true, exec: 'yarn' },
  },
])('$files', ({ files, is }) => {
  const directory = mkdtempSync(join(tmpdir(), 'project-'));
  try {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(directory, path), text);
    expect(lookAtProject(directory)).toMatchObject(is);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
