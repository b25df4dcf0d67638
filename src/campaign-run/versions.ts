import { createRequire } from 'node:module';
import { execa } from 'execa';
import type { TrialRecord } from '../history/record.ts';

/** Of crash-campaign. Asked for by the package's own name, because sources and what is built of them lie at different depths. */
export const { version } = createRequire(import.meta.url)('crash-campaign/package.json') as { version: string };

/** What made a record: node, crash-campaign, and the commit of the campaign's repository (`+` when it has changes), if it is in one. */
export async function versionsOf(directory: string): Promise<TrialRecord['versions']> {
  return { node: process.version, 'crash-campaign': version, git: await commitOf(directory) };
}

async function commitOf(directory: string): Promise<string | null> {
  const git = (...args: string[]) => execa('git', args, { cwd: directory, reject: false, stdin: 'ignore' });
  const head = await git('rev-parse', '--short=12', 'HEAD');
  if (head.exitCode !== 0) return null;
  const status = await git('status', '--porcelain', '--untracked-files=no');
  return status.stdout === '' ? head.stdout : `${head.stdout}+`;
}
