import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sessionCgroups } from '../../../src/driver/live/cgroup.ts';
import { type LiveOptions, openLiveWorld } from '../../../src/driver/live/live-world.ts';
import { KEPT_BYTES } from '../../../src/driver/live/output.ts';
import { look } from '../../../src/driver/live/processes.ts';
import { openWorkspace, type Workspace } from '../../../src/driver/workspace.ts';
import type { Happening, World } from '../../../src/driver/world.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/live/${name}`, import.meta.url));
const node = process.execPath;

let workspace: Workspace;
let world: World;

async function open(options: Partial<LiveOptions> = {}) {
  world = await openLiveWorld({ cwd: workspace.directory, ...options });
}

const start = (session: string, command: string[], { env = {}, reasons = [] as string[] } = {}) =>
  world.start({ session, host: 'h1', command, env, log: join(workspace.logs, session), reasons });

/** Happenings other than ticks, up to one that is looked for. */
async function until(found: (happening: Happening) => boolean, until_ms = 30_000): Promise<Happening[]> {
  const seen: Happening[] = [];
  for (;;) {
    const happening = await world.next(until_ms);
    if (happening.type === 'time' && !found(happening)) throw new Error(`it did not come; what came: ${JSON.stringify(seen)}`);
    if (happening.type !== 'tick') seen.push(happening);
    if (found(happening)) return seen;
  }
}

const untilEnded = (session: string) => until((happening) => happening.type === 'ended' && happening.session === session);

async function untilPoint(name: string): Promise<string> {
  const line = (await until((happening) => happening.type === 'line' && happening.text.startsWith(`@crash point ${name}`))).at(-1);
  return line?.type === 'line' ? line.text : '';
}

/** The pid that a fixture says in the name of a point. */
const untilPid = async (name: string) => Number((await untilPoint(name)).split('.')[1]);

const isAlive = (pid: number) => !'ZX'.includes(look(pid)?.state ?? 'X');
const threadStates = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').replace(/^.*\) (.).*$/s, '$1'),
  );

beforeEach(async () => {
  workspace = await openWorkspace();
  await open();
});
afterEach(async () => {
  await world.close();
  await workspace.remove();
});

describe('output', () => {
  test('whole lines are told before the end, a torn one is only kept', async () => {
    await start('s1', ['sh', fixture('says-points.sh')]);
    await untilPoint('first');
    expect(await until((happening) => happening.type === 'line')).toEqual([{ type: 'line', session: 's1', text: '@crash ack 1' }]);
    const log = () => readFileSync(join(workspace.logs, 's1.out'), 'utf8');
    await expect.poll(log).toMatch(/to$/);
    expect(await world.kill('s1')).toEqual({ delivered: true });
    expect(await untilEnded('s1')).toEqual([
      { type: 'ended', session: 's1', code: null, signal: 'SIGKILL', reason: null, last_words: null },
    ]);
    expect(log()).toBe('@crash point first\n@crash ack 1\n@crash point to');
  });

  test('10 MB that nobody asked for block nothing; the log keeps both ends and says what it left out', async () => {
    await start('s1', [node, fixture('writes-much.mjs')]);
    const seen = await untilEnded('s1');
    const lines = seen.filter((happening) => happening.type === 'line');
    expect(lines.at(-1)).toMatchObject({ text: '@crash point done' });
    expect(seen.at(-1)).toMatchObject({ type: 'ended', code: 0 });
    await world.close();
    const log = readFileSync(join(workspace.logs, 's1.out'), 'latin1');
    const written = 10 * 1024 * 1024 + '@crash point done\n'.length;
    expect(log).toContain(`[crash-campaign: ${written - 2 * KEPT_BYTES} bytes left out here`);
    expect(log.startsWith('0000000 ')).toBe(true);
    expect(log.endsWith('\n@crash point done\n')).toBe(true);
    expect(log.length).toBeLessThan(2 * KEPT_BYTES + 200);
  });

  test('a child that holds stdout open does not hold up the end', async () => {
    await start('s1', ['sh', fixture('holds-stdout.sh')]);
    const seen = await untilEnded('s1');
    expect(seen).toEqual([
      { type: 'line', session: 's1', text: '@crash point last' },
      { type: 'ended', session: 's1', code: 0, signal: null, reason: null, last_words: null },
    ]);
  });

  test('the reason is the one that stands last on stderr', async () => {
    await start('s1', [node, fixture('robbed.mjs')], { reasons: ['lock-stolen-mid-run', 'lock-busy', 'never-said'] });
    expect((await untilEnded('s1')).at(-1)).toEqual({
      type: 'ended',
      session: 's1',
      code: 3,
      signal: null,
      reason: 'lock-stolen-mid-run',
      last_words: 'error: lock-stolen-mid-run',
    });
  });

  test('a kernel gets the machine’s environment and its own, and nothing of the harness', async () => {
    await open({ compileCache: join(workspace.directory, 'compiled') });
    process.env.npm_config_of_the_harness = '1';
    await start('s1', [node, fixture('shows-environment.mjs')], { env: { NODE_OPTIONS: '--no-deprecation', GIVEN: 'yes' } });
    delete process.env.npm_config_of_the_harness;
    const shown = Object.fromEntries(
      (await untilEnded('s1')).map((happening) => (happening.type === 'line' ? happening.text.split('=') : [])),
    );
    expect(shown).toMatchObject({
      GIVEN: 'yes',
      NODE_OPTIONS: '--no-deprecation',
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(workspace.directory, 'compiled'),
    });
    expect(Object.keys(shown).filter((name) => /^(npm_|VITEST)/.test(name))).toEqual([]);
  });
});

/** Whether control groups can be made is up to who runs this machine, so here a test that needs them may be left out, even in CI. */
const ungrouped = sessionCgroups() === null;
if (ungrouped) console.error('this process may make no control groups: what needs them is not tested');

describe.each([true, false])('kill, with control groups: %s', (cgroups) => {
  beforeEach(() => open({ cgroups }));

  test('takes a program that is deaf to every other signal', async () => {
    await start('s1', ['sh', fixture('ignores-sigterm.sh')]);
    await untilPoint('deaf');
    expect(await world.kill('s1')).toEqual({ delivered: true });
  });

  test('takes a stopped one, its daemon, and a daemon that is stopped', async () => {
    await start('s1', ['python3', fixture('daemoniser.py'), '--stopped']);
    const daemon = await untilPid('daemon');
    expect(await world.pause('s1')).toEqual({ delivered: true });
    expect(await world.kill('s1')).toEqual({ delivered: true });
    expect(isAlive(daemon)).toBe(false);
  });

  test('takes a child that cleaned its environment and has a session of its own', async () => {
    await start('s1', ['sh', fixture('cleans-environment.sh')]);
    const cleaned = await untilPid('cleaned');
    expect(look(cleaned)?.session).toBe(cleaned);
    expect(await world.kill('s1')).toEqual({ delivered: true });
    expect(isAlive(cleaned)).toBe(false);
  });

  test('takes no other session of the same world', async () => {
    for (const session of ['s1', 's10']) {
      await start(session, ['python3', fixture('daemoniser.py')]);
    }
    const pids = [await untilPid('daemon'), await untilPid('daemon')];
    const owner = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'latin1').match(/CRASH_CAMPAIGN_TRIAL=[^.]*\.\d+\.(s\d+)\0/)?.[1];
    const daemons = Object.fromEntries(pids.map((pid) => [owner(pid), pid]));
    expect(await world.kill('s1')).toEqual({ delivered: true });
    expect([isAlive(daemons.s1 ?? 0), isAlive(daemons.s10 ?? 0)]).toEqual([false, true]);
  });

  test.skipIf(ungrouped)('takes a daemon that left nothing to be known by, unless there are no groups', async () => {
    await start('s1', ['python3', fixture('escapes.py')]);
    const daemon = await untilPid('escaped');
    onTestFinished(() => {
      if (isAlive(daemon)) process.kill(daemon, 'SIGKILL');
    });
    expect(await world.kill('s1')).toEqual({ delivered: true });
    expect(isAlive(daemon)).toBe(!cgroups);
  });

  test('is not delivered to a session that has ended, and leaves alone whoever has its pid', async () => {
    const { pid } = await start('s1', ['python3', fixture('daemoniser.py'), '--leave']);
    const daemon = await untilPid('daemon');
    await untilEnded('s1');
    expect(look(pid)).toBe(null);
    expect(await world.kill('s1')).toEqual({ delivered: false, why: 's1 had already ended with code 0' });
    expect(await world.pause('s1')).toEqual({ delivered: false, why: 's1 had already ended with code 0' });
    expect(await world.continue('s1')).toEqual({ delivered: false, why: 's1 had already ended with code 0' });
    expect(await world.kill('s2')).toEqual({ delivered: false, why: 's2 had not been started' });
    expect(isAlive(daemon)).toBe(true);
    // The daemon still talks, but it is not the session.
    const heard = readFileSync(join(workspace.logs, 's1.out')).length;
    await expect.poll(() => readFileSync(join(workspace.logs, 's1.out')).length).toBeGreaterThan(heard);
    await expect(until((happening) => happening.type === 'time', world.now() + 1)).resolves.toEqual([{ type: 'time' }]);
    await world.close();
    expect(isAlive(daemon)).toBe(false);
  });

  test('that somebody else did is no delivery, not even before it has been noticed', async () => {
    const { pid } = await start('s1', ['python3', fixture('kills-itself.py')]);
    // No turn of the event loop passes here, so the process is dead and not yet reaped.
    while (look(pid)?.state !== 'Z');
    expect(await world.kill('s1')).toEqual({ delivered: false, why: 's1 had already died by SIGKILL' });
    expect(await untilEnded('s1')).toEqual([
      { type: 'ended', session: 's1', code: null, signal: 'SIGKILL', reason: null, last_words: null },
    ]);
  });
});

test('what a session waits for a processor is told', async () => {
  await start('s1', ['python3', fixture('crowded.py')]);
  const waited = () => world.delays?.filter(({ session }) => session === 's1') ?? [];
  while (waited().length < 3) await world.next(30_000);
  for (const { t_ms, delay_ms } of waited()) expect(delay_ms).toBeLessThanOrEqual(t_ms);
});

describe('control groups', () => {
  test.skipIf(ungrouped)('go with their world, and nobody is left in them', async () => {
    const ours = sessionCgroups() as string;
    await start('s1', ['python3', fixture('escapes.py')]);
    const daemon = await untilPid('escaped');
    expect(await world.pause('s1')).toEqual({ delivered: true });
    expect(look(daemon)?.state).toBe('T');
    await expect(start('s2', ['no-such-program'])).rejects.toThrow('ENOENT');
    const [before, home] = [readdirSync(ours, { recursive: true }).map(String), readFileSync('/proc/self/cgroup', 'utf8')];
    expect(before.filter((name) => /\d\/s\d$/.test(name)).map((name) => name.split('/')[1])).toEqual(['s1', 's2']);
    expect(home).not.toContain('crash-campaign');
    await world.close();
    expect(isAlive(daemon)).toBe(false);
    expect(readdirSync(ours, { recursive: true }).filter((name) => /\d\/s\d$/.test(String(name)))).toEqual([]);
  });
});

describe('pause', () => {
  test('is confirmed for every thread and every child, and continue lets all go on', async () => {
    const { pid } = await start('s1', [node, fixture('spins.mjs')]);
    await untilPoint('spinning');
    const child =
      readdirSync('/proc')
        .map(Number)
        .find((other) => look(other)?.ppid === pid) ?? 0;
    expect(threadStates(pid).length).toBeGreaterThan(3);
    expect(await world.pause('s1')).toEqual({ delivered: true });
    expect(new Set([...threadStates(pid), ...threadStates(child)])).toEqual(new Set(['T']));
    expect(await world.continue('s1')).toEqual({ delivered: true });
    expect(threadStates(pid)).not.toContain('T');
    expect(threadStates(child)).not.toContain('T');
    expect(await world.continue('s1')).toEqual({ delivered: false, why: 's1 was not paused' });
  });

  test('still stops all, and lets go on those that were not paused', async () => {
    const one = await start('s1', ['sh', fixture('ignores-sigterm.sh')]);
    await untilPoint('deaf');
    const two = await start('s2', ['python3', fixture('daemoniser.py'), '--leave']);
    const daemon = await untilPid('daemon');
    await untilEnded('s2');
    const three = await start('s3', ['sh', fixture('ignores-sigterm.sh')]);
    await untilPoint('deaf');
    await world.pause('s3');
    const states = () => [one.pid, daemon, three.pid].map((pid) => look(pid)?.state === 'T');
    expect(look(two.pid)).toBe(null);
    await expect(world.still(async () => states())).resolves.toEqual([true, true, true]);
    expect(states()).toEqual([false, false, true]);
    await expect(world.still(() => Promise.reject(new Error('as asked')))).rejects.toThrow('as asked');
    expect(states()).toEqual([false, false, true]);
  });

  test('a kill inside still is delivered', async () => {
    await start('s1', ['sh', fixture('ignores-sigterm.sh')]);
    await untilPoint('deaf');
    expect(await world.still(() => world.kill('s1'))).toEqual({ delivered: true });
  });
});

describe('next', () => {
  test('gives ticks while a session runs, and time whether or not one does', async () => {
    expect(await world.next(world.now() + 1)).toEqual({ type: 'time' });
    await start('s1', ['sh', fixture('ignores-sigterm.sh')]);
    await untilPoint('deaf');
    expect(await world.next(Infinity)).toEqual({ type: 'tick' });
    await world.pause('s1');
    const until_ms = world.now() + 20;
    while ((await world.next(until_ms)).type === 'tick');
    expect(world.now()).toBeGreaterThanOrEqual(until_ms);
    expect(await world.next(until_ms)).toEqual({ type: 'time' });
  });

  test('gives no ticks while sessions are held at their operations, unless something else can change: a service', async () => {
    const untilUp = async (options: Partial<LiveOptions>) => {
      await world.close();
      await open({ probe: 'hold', ...options });
      await start('s1', [node, '-e', "console.log('@crash point up'); setInterval(() => {}, 1000)"]);
      await untilPoint('up');
    };
    await untilUp({});
    expect(await world.next(world.now() + 20)).toEqual({ type: 'time' });
    await untilUp({ tickMs: 5 });
    expect(await world.next(Infinity)).toEqual({ type: 'tick' });
  });

  test('a world that is closed while it is waited for says so', async () => {
    const waiting = world.next(Infinity);
    await world.close();
    await expect(waiting).rejects.toThrow('the world has been closed');
    await expect(start('s1', ['true'])).rejects.toThrow('s1 was to be started in a world that had been closed');
  });
});

describe('a start fails with its facts and a remedy', () => {
  test.each([
    { what: 'no such program', command: ['no-such-program'], errno: 'ENOENT', remedy: /full path/ },
    { what: 'no such interpreter', command: [fixture('no-interpreter')], errno: 'ENOENT', remedy: /interpreter/ },
    { what: 'not executable', command: [fixture('robbed.mjs')], errno: 'EACCES', remedy: /chmod/ },
    { what: 'arguments too long', command: ['true', 'x'.repeat(4 * 1024 * 1024)], errno: 'E2BIG', remedy: /smaller/ },
    { what: 'a launcher', command: ['npx', 'kernel'], errno: null, remedy: /npx/ },
  ])('$what', async ({ command, errno, remedy }) => {
    await expect(start('s1', command)).rejects.toMatchObject({
      command,
      errno,
      remedy: expect.stringMatching(remedy),
    });
  });

  test('no working directory', async () => {
    await open({ cwd: join(workspace.directory, 'missing') });
    await expect(start('s1', ['true'])).rejects.toMatchObject({ errno: 'ENOENT', remedy: 'create the working directory' });
  });
});
