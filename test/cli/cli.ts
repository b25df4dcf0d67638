import { fileURLToPath } from 'node:url';
import { execa, type Options } from 'execa';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A quick campaign. */
export const TOY = 'test/fixtures/cli/toy';

/** Without it each of these many processes strips the types of the same hundred files. */
const env = { NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/crash-campaign-tests', import.meta.url)) };

/** Runs the command line as a user's shell does: a process of its own, without a terminal. */
export function cli(args: string[], options: Options = {}) {
  return execa(process.execPath, ['bin/crash-campaign.js', ...args], { cwd: root, reject: false, stdin: 'ignore', env, ...options });
}
