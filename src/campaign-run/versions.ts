import { execa } from 'execa';
import packageJson from '../../package.json' with { type: 'json' };
import type { TrialRecord } from '../history/record.ts';

/** What made a record: node, crash-campaign, and the commit of the campaign's repository (`+` when it has changes), if it is in one. */
export async function versionsOf(directory: string): Promise<TrialRecord['versions']> {
  return { node: process.version, 'crash-campaign': packageJson.version, git: await commitOf(directory) };
}

async function commitOf(directory: string): Promise<string | null> {
  const git = (...args: string[]) => execa('git', args, { cwd: directory, reject: false, stdin: 'ignore' });
  const head = await git('rev-parse', '--short=12', 'HEAD');
  if (head.exitCode !== 0) return null;
  const status = await git('status', '--porcelain', '--untracked-files=no');
  return status.stdout === '' ? head.stdout : `${head.stdout}+`;
}
