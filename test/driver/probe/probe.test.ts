import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conducted, operationsOf, withState } from './conduct.ts';

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', `${name}.mjs`);

describe('operations', () => {
  test('what takes several steps is taken apart, in any form', async () => {
    expect(operationsOf(await conducted(fixture('operations')))).toEqual([
      'mkdir a',
      'mkdir a/b',
      'mkdir a/b/c',
      'open a/f',
      'write a/f',
      'open a/f',
      'write a/f',
      'open a/f',
      'read a/f',
      'open a/g',
      'write a/g',
      'write a/g',
      'open a/g',
      'read a/g',
      'open a/h',
      'write a/h',
      'fsync a/h',
      'open a/g',
      'rename a -> z',
      'write z/g',
      'rename z/g -> z/k',
      'write z/k',
      'mkdir copy',
      'readdir z',
      'mkdir copy/b',
      'readdir z/b',
      'mkdir copy/b/c',
      'readdir z/b/c',
      'copyFile z/f -> copy/f',
      'copyFile z/h -> copy/h',
      'copyFile z/k -> copy/k',
      'rmdir copy !ENOTEMPTY',
      'readdir z',
      'readdir z/b',
      'readdir z/b/c',
      'rmdir z/b/c',
      'rmdir z/b',
      'unlink z/f',
      'unlink z/h',
      'unlink z/k',
      'rmdir z',
      'symlink link -> copy/f',
    ]);
  });

  test('what they write is summed up without the state directory, so that it is the same in any folder', async () => {
    const [one, two] = await Promise.all([conducted(fixture('operations')), conducted(fixture('operations'))]);
    expect(one.seen).toEqual(two.seen);
    expect(one.seen.find((request) => request.type === 'operation' && request.kind === 'write')).toMatchObject({
      bytes: 'where: {state}'.length,
      sum: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
  });

  test('an operation that is told to fail fails as the system would, and has no effect', async () => {
    await withState(async (state) => {
      let writes = 0;
      const run = await conducted(fixture('three-writes'), {
        state,
        answer: (request) => (request.type === 'operation' && request.kind === 'write' && ++writes === 2 ? { fail: 'ENOSPC' } : undefined),
      });
      expect(run.stdout).toBe('ENOSPC: no space left on device, write ENOSPC -28 write undefined\n');
      expect(await readFile(join(state, 'f'), 'utf8')).toBe('firstthird');
    });
  });

  test('an open that is told to fail names its path', async () => {
    const run = await conducted(fixture('three-writes'), { answer: (_request, count) => (count === 1 ? { fail: 'EIO' } : undefined) });
    expect(run.stdout).toBe("EIO: i/o error, open '{state}/f' EIO -5 open {state}/f\n");
  });

  test('a torn write writes so many bytes and no more', async () => {
    await withState(async (state) => {
      let writes = 0;
      const run = await conducted(fixture('three-writes'), {
        state,
        answer: (request) =>
          request.type === 'torn'
            ? null
            : request.type === 'operation' && request.kind === 'write' && ++writes === 2
              ? { tear: 3 }
              : undefined,
      });
      expect(run.signal).toBe('SIGKILL');
      expect(run.seen.at(-1)?.type).toBe('torn');
      expect(await readFile(join(state, 'f'), 'utf8')).toBe('firstsec');
    });
  });

  test('a kill lands between the opening and the write of one call', async () => {
    await withState(async (state) => {
      await conducted(fixture('three-writes'), {
        state,
        answer: (request) => (request.type === 'operation' && request.kind === 'write' ? null : undefined),
      });
      expect(await readFile(join(state, 'f'), 'utf8')).toBe('');
    });
  });
});

test('a process that idles stands still until the time that it waits for', async () => {
  const { seen, stdout } = await conducted(fixture('sleeper'));
  expect(seen.map(({ type }) => type)).toEqual(['idle', 'output', 'exit']);
  expect(stdout).toBe('woken 30000\n');
});

test('of timers that are due at once, that one goes first whose duration was used first', async () => {
  expect((await conducted(fixture('ties'))).stdout).toBe('50,50,100,50,50,100,50,50,100,50,50,100\n');
});

test('a program that waits by looking at the clock sees it move', async () => {
  const { stdout, code } = await conducted(fixture('spins'));
  expect(stdout).toBe('done true\n');
  expect(code).toBe(0);
});

test('a process whose conductor is gone dies at once', async () => {
  const { signal, stdout } = await conducted(fixture('sleeper'), { answer: () => 'hang up' });
  expect(signal).toBe('SIGKILL');
  expect(stdout).toBe('');
});

test('the order of many things at once is the same in each run', async () => {
  const runs = [];
  for (let i = 0; i < 4; i++) runs.push(await conducted(fixture('concurrent')));
  const [first] = runs;
  for (const run of runs) {
    expect(run.seen).toEqual(first?.seen);
    expect(run.stdout).toBe(first?.stdout);
  }
  expect((await conducted(fixture('concurrent'), { seed: 'another' })).stdout).not.toBe(first?.stdout);
});

test('a signal that comes with an answer reaches the handlers, or does what it does by default', async () => {
  const term = await conducted(fixture('signals'), {
    answer: (_request, count) => (count === 1 ? { signal: 'SIGTERM', now_ms: 1_700_000_000_010 } : undefined),
  });
  expect(term.stdout).toBe('SIGTERM 15 true\n');
  expect(term.code).toBe(0);
  const quit = await conducted(fixture('signals'), {
    answer: (_request, count) => (count === 1 ? { signal: 'SIGINT', now_ms: 1_700_000_000_010 } : undefined),
  });
  expect(quit.signal).toBe('SIGINT');
});

test.each(['', 'now', 'throws'])('the exit is told after the last operation, also of those who want to be last: %s', async (how) => {
  const { seen } = await conducted(fixture('leaves-lock'), { args: [how] });
  const last = seen
    .slice(how === '' ? -2 : -2)
    .map((request) => (request.type === 'operation' ? `${request.kind} ${request.path}` : request.type));
  expect(last).toEqual(['rmdir x.lock', 'exit']);
});

test('who a process is, and its dice, are the conductor’s', async () => {
  const answer = (request: { type: string; pid?: number }) =>
    request.type === 'signal' && request.pid === 4713 ? { fail: 'ESRCH' } : undefined;
  const run = await conducted(fixture('who'), { answer, nodeArgs: ['--no-warnings'] });
  const seen = JSON.parse(run.stdout);
  expect(seen).toMatchObject({
    pid: 4711,
    ppid: 1,
    hostname: 'alpha',
    boot: '11111111-2222-3333-4444-555555555555',
    etc: 'alpha',
    namespace: 'pid:[4026539999]',
    stat: ['4711', '(node)'],
    own: true,
    living: true,
    dead: false,
    self: true,
    alive: true,
    gone: 'ESRCH kill kill ESRCH',
    env: [null, null, ['--no-warnings'], []],
  });
  const again = await conducted(fixture('who'), { answer });
  expect(JSON.parse(again.stdout).random).toEqual(seen.random);
  const other = await conducted(fixture('who'), { answer, seed: 'another' });
  for (const [index, value] of JSON.parse(other.stdout).random.entries()) expect(value).not.toEqual(seen.random[index]);
});

test('file times are those of the virtual clock', async () => {
  await withState(async (state) => {
    const run = await conducted(fixture('file-times'), { state });
    expect(run.stdout.split('\n')).toEqual([
      'new: [ 0, 0 ]',
      'later: [ 5000, 5000 ]',
      'appended: [ 0, 5000 ]',
      'read: [ 1000, true, 0, 0 ]',
      'renamed: [ 2000, 0 ]',
      'explicit: [ 2000000, 1000000, 1970-01-01T00:33:20.000Z ]',
      'bigint: 2000000000000n',
      '',
    ]);
    // The harness's reader sees the same.
    expect(Math.floor((await stat(state)).mtimeMs / 1000)).toBe(1_700_000_007);
  });
});

test.each([
  ['child', 'a child process'],
  ['child-sync', 'a child process'],
  ['worker', 'a worker thread'],
  ['worker waited for', 'a worker thread'],
  ['server', 'a server'],
  ['watch', 'fs.watch'],
  ['sqlite', 'node:sqlite'],
  ['addon', 'a native addon'],
  ['link from outside', 'a symbolic link into the state directory'],
])('what runs beside the program is reported, and does not speak on the channel: %s', async (name, what) => {
  const run = await conducted(fixture('beside'), { args: [name] });
  expect(run.stdout).toContain('done');
  expect(run.stdout).not.toContain('too early');
  expect(run.code).toBe(0);
  expect(run.seen.flatMap((request) => (request.type === 'uncontrolled' ? [request.what] : []))).toContain(what);
});
