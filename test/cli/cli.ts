import { fileURLToPath } from 'node:url';
import { execa, type Options } from 'execa';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A quick campaign under the real clock. */
export const TOY = 'test/fixtures/cli/toy';

/** Runs the command line as a user's shell does: a process of its own, without a terminal. */
export function cli(args: string[], options: Options = {}) {
  return execa(process.execPath, ['bin/crash-campaign.js', ...args], { cwd: root, reject: false, stdin: 'ignore', ...options });
}
