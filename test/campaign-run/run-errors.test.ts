import { expect, test } from 'vitest';
import { RunLostError, RunStoppedError, stoppedBy } from '../../src/campaign-run/run-errors.ts';
import { LaunchError } from '../../src/driver/launch-error.ts';

const launchError = (errno: string | null) =>
  new LaunchError({ command: ['node', 'kernel.mjs'], problem: 'could not be started', errno, remedy: 'look' });

test.each([
  ['EMFILE', 'this process has as many files open as it may', 'ulimit -n'],
  ['EAGAIN', 'no process or thread can be started any more', 'ulimit -u'],
])('a kernel that could not be started for want of something (%s) stops the run, and nothing else', (errno, problem, remedy) => {
  const stopped = stoppedBy(launchError(errno), 'run');
  expect(stopped).toBeInstanceOf(RunStoppedError);
  expect(String(stopped)).toContain(`${problem} (${errno}: \`node kernel.mjs\` could not be started)`);
  expect(String(stopped)).toContain(remedy);
});

test('so does what lies behind another error', () => {
  const cause = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write', path: '/state/log' });
  expect(String(stoppedBy(new Error('read threw an error', { cause }), 'run'))).toContain('(ENOSPC from write at /state/log)');
});

test.each([
  ['a command that is not there', launchError('ENOENT')],
  ['a launcher', launchError(null)],
  ['a failure of the harness', new TypeError('x is not a function')],
  ['what has been told already', new RunLostError('run', 2)],
])('%s stays what it is', (_, error) => {
  expect(stoppedBy(error, 'elsewhere')).toBe(error);
});
