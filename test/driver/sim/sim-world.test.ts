import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { family } from '../../../src/driver/live/processes.ts';
import type { Happening } from '../../../src/driver/world.ts';
import { operations, type Play, play, type Script } from './play.ts';

const LOCKER = { command: ['sim-proper-lockfile.mjs'] };

/** Acts once, at the n-th happening that fits. */
function once(
  fits: (happening: Happening) => boolean,
  act: (play: Play, happening: Happening) => unknown,
  n = 1,
): NonNullable<Script['on']> {
  let seen = 0;
  return (happening, own) => (fits(happening) && ++seen === n ? act(own, happening) : undefined);
}

const before = (session: string, kind: string, path?: string) => (h: Happening) =>
  h.type === 'before' && h.session === session && h.operation.kind === kind && (path === undefined || h.operation.path === path);
const said = (session: string, text: string) => (h: Happening) => h.type === 'line' && h.session === session && h.text === text;
const lines = (state: string) => readFileSync(join(state, 'log'), 'utf8').split('\n').slice(0, -1);

describe('a lock whose holder was killed', () => {
  /** s1 holds the lock, s2 waits. */
  const cast = [LOCKER, LOCKER];
  const killHolder = once(
    (h) => h.type === 'before' && h.operation.kind === 'write' && h.operation.path === 'ledger',
    ({ world }, h) => 'session' in h && world.kill(h.session),
    3,
  );

  test('is taken over when it has gone stale, after 30 s of virtual time', async () => {
    const { ended, ended_ms, happenings } = await play({ cast, on: killHolder });
    const killed = Object.values(ended).find(({ signal }) => signal === 'SIGKILL');
    const rival = killed?.session === 's1' ? 's2' : 's1';
    const taken_ms = happenings.find(({ happening }) => said(rival, '@crash enter')(happening))?.t_ms ?? 0;
    const waited_ms = taken_ms - (ended_ms[killed?.session ?? ''] ?? 0);
    expect(ended[rival]).toMatchObject({ code: 0, signal: null });
    // The lock's last renewal is up to a second old when its holder is killed, and its age is looked at every 100 ms.
    expect(waited_ms).toBeGreaterThan(29_000);
    expect(waited_ms).toBeLessThan(31_100);
  });

  test('gives the same happenings for the same seed, and others for another', async () => {
    const digest = async (seed: number) => (await play({ cast, seed, on: killHolder })).digest;
    const [one, again, other] = [await digest(1), await digest(1), await digest(2)];
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });
});

describe('turns', () => {
  test('concurrent promises of one program always come in one order', async () => {
    const digests = new Set<string>();
    for (let i = 0; i < 5; i++)
      digests.add((await play({ cast: [{ command: ['sim-promise-all.mjs'] }, { command: ['sim-promise-all.mjs'] }] })).digest);
    expect(digests.size).toBe(1);
  });

  test('a session runs on until it waits', async () => {
    const { happenings } = await play({ cast: [{ command: ['sim-append.cjs', '20'] }, { command: ['sim-append.cjs', '20'] }] });
    const order = happenings.flatMap(({ happening: h }) => (h.type === 'before' ? [h.session] : []));
    const changes = order.filter((session, i) => i > 0 && session !== order[i - 1]);
    expect(changes.length).toBe(1);
  });

  test('no operation is carried out before it is let go, and each is over when `after` is told', async () => {
    const held: number[] = [];
    await play({
      cast: [{ command: ['sim-append.cjs', '5'] }],
      on(h, { state }) {
        if ((h.type === 'before' || h.type === 'after') && h.operation.kind === 'write') held.push(lines(state).length);
      },
    });
    expect(held).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5]);
  });

  test('`time` comes at the asked time, to a microsecond, and changes nothing in what happens', async () => {
    const script: Script = { cast: [{ command: ['sim-promise-all.mjs'] }] };
    const plain = await play(script);
    const at: number[] = [];
    const interrupted = await play({
      ...script,
      async on(_, { world }) {
        const until_ms = world.now() + 0.001;
        const next = await world.next(until_ms);
        if (next.type === 'time') at.push(world.now() - until_ms);
        return next;
      },
    });
    const seen = interrupted.happenings
      .flatMap(({ happening, did }) => [happening, did as Happening])
      .filter(({ type }) => type !== 'time');
    expect(seen).toEqual(plain.happenings.map(({ happening }) => happening));
    expect(at.length).toBeGreaterThan(10);
    // Never before, or a caller that waits for that time would never get there.
    expect(Math.min(...at)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...at)).toBeLessThanOrEqual(0.001);
  });

  test('sixteen sessions take turns on one lock', async () => {
    const { ended } = await play({ cast: Array(16).fill(LOCKER) });
    expect(Object.values(ended).map(({ code }) => code)).toEqual(Array(16).fill(0));
  });

  test('time passes while nobody is alive, and while everybody is paused', async () => {
    const seen: unknown[] = [];
    await play({
      cast: [{ command: ['sim-waits.cjs'] }],
      on: once(said('s1', 'waiting'), async ({ world }) => {
        await world.pause('s1');
        seen.push(await world.next(5_000_000), world.now());
        await world.kill('s1');
        seen.push((await world.next(6_000_000)).type, await world.next(6_000_000), world.now());
        throw new Error('enough');
      }),
    }).catch((error) => seen.push(error.message));
    expect(seen).toEqual([{ type: 'time' }, 5_000_000, 'ended', { type: 'time' }, 6_000_000, 'enough']);
  });
});

describe('faults', () => {
  test('a session is killed before an operation, and so without it', async () => {
    const { ended, seen } = await play(
      { cast: [{ command: ['sim-append.cjs', '5'] }], on: once(before('s1', 'write'), ({ world }) => world.kill('s1'), 3) },
      ({ state }) => lines(state),
    );
    expect(seen).toEqual(['line 0', 'line 1']);
    expect(ended.s1).toEqual({ type: 'ended', session: 's1', code: null, signal: 'SIGKILL', reason: null, last_words: null });
  });

  test('who has ended, or is not there, is not killed', async () => {
    const { happenings } = await play({
      cast: [{ command: ['sim-append.cjs', '1'] }],
      on: once(
        (h) => h.type === 'ended',
        async ({ world }) => [await world.kill('s1'), await world.pause('s9')],
      ),
    });
    expect(happenings.at(-1)?.did).toEqual([
      { delivered: false, why: 's1 has ended' },
      { delivered: false, why: 'there is no session s9' },
    ]);
  });

  test('a holder that is paused for longer than its lease finds itself robbed', async () => {
    const { ended, lines: spoken } = await play({
      cast: [LOCKER, LOCKER],
      async on(h, { world }) {
        const holder = 'session' in h ? h.session : '';
        if (h.type === 'line' && h.text === '@crash enter' && world.now() < 5_000) return world.pause(holder);
        if (h.type === 'line' && h.text === '@crash exit')
          return Promise.all(['s1', 's2'].filter((s) => s !== holder).map((s) => world.continue(s)));
      },
    });
    expect(new Set(Object.values(ended).map(({ code }) => code))).toEqual(new Set([0, 3]));
    expect(spoken.filter((line) => line.endsWith('lock-stolen-mid-run'))).toHaveLength(1);
  });

  test('an operation fails with an error number, and is not carried out', async () => {
    const { lines: spoken, seen } = await play(
      { cast: [{ command: ['sim-append.cjs', '3'] }], on: once(before('s1', 'write'), ({ world }) => world.sim.fail('s1', 'ENOSPC'), 2) },
      ({ state }) => lines(state),
    );
    expect(spoken).toEqual(['s1: wrote 0', 's1: failed 1 ENOSPC write', 's1: wrote 2']);
    expect(seen).toEqual(['line 0', 'line 2']);
  });

  test('a write is torn after some bytes', async () => {
    const { seen, happenings } = await play(
      {
        cast: [{ command: ['sim-append.cjs', '3'] }],
        on: once(before('s1', 'write'), async ({ world }) => [await world.tear?.('s1', 3), await world.kill('s1')], 2),
      },
      ({ state }) => readFileSync(join(state, 'log'), 'utf8'),
    );
    expect(happenings.find(({ did }) => did !== undefined)?.did).toEqual([{ delivered: true }, { delivered: true }]);
    expect(seen).toBe('line 0\nlin');
  });

  test('a contender that lets another go first before it removes a stale lock gives two holders', async () => {
    const waiting = new Set(['s1', 's2', 's3']);
    const inside = new Set<string>();
    let most = 0;
    let yielded: unknown;
    await play({
      cast: [LOCKER, LOCKER, LOCKER],
      async on(h, { world }) {
        if (h.type === 'line' && h.text === '@crash enter') {
          waiting.delete(h.session);
          if (waiting.size === 2) return world.kill(h.session);
          most = Math.max(most, inside.add(h.session).size);
        }
        if (h.type === 'line' && h.text === '@crash exit') inside.delete(h.session);
        if (h.type === 'before' && h.operation.kind === 'rmdir' && waiting.size === 2) {
          const [rival = ''] = [...waiting].filter((name) => name !== h.session);
          yielded ??= world.sim.yieldTo(rival);
        }
      },
    });
    expect(yielded).toEqual({ delivered: true });
    expect(most).toBe(2);
  });

  test('a clock is moved on one host, and timers are not', async () => {
    const now = (spoken: string[], session: string) =>
      Number(
        spoken
          .find((line) => line.startsWith(`${session}: i am`))
          ?.split(' ')
          .at(-1),
      );
    const { lines: spoken } = await play({
      cast: [{ command: ['sim-waits.cjs'] }],
      on: once(said('s1', 'waiting'), async ({ world, start }) => {
        world.sim.jump('h1', -3_600_000);
        await start({ command: ['sim-liveness.cjs'] });
        await start({ command: ['sim-liveness.cjs'], host: 'h2' });
      }),
      deadline_ms: 4_000_000,
    });
    expect(now(spoken, 's3') - now(spoken, 's2')).toBeGreaterThan(3_599_000);
    expect(now(spoken, 's3') - now(spoken, 's2')).toBeLessThan(3_601_000);
    expect(spoken).toContain('s1: an hour is over');
  });
});

describe('pids and signals', () => {
  const WAITS = { command: ['sim-waits.cjs'] };
  const once1 = (act: (own: Play) => Promise<unknown>) => once(said('s1', 'waiting'), act);
  const liveness = (own: Play, of: string, host = 'h1') => own.start({ command: ['sim-liveness.cjs', String(own.pids[of])], host });

  test('a pid lives on its own host alone, and only as long as its session', async () => {
    let pid = 0;
    let ended = 0;
    const { lines: spoken } = await play({
      cast: [WAITS],
      deadline_ms: 10_000,
      async on(h, own) {
        if (said('s1', 'waiting')(h)) {
          pid = own.pids.s1 ?? 0;
          await liveness(own, 's1');
          await liveness(own, 's1', 'h2');
        }
        if (h.type === 'ended' && h.session !== 's1' && ++ended === 2) await own.world.kill('s1');
        if (h.type === 'ended' && h.session === 's1') await liveness(own, 's1');
      },
    });
    expect(spoken.filter((line) => line.includes(`: ${pid} `)).sort()).toEqual([
      `s2: ${pid} lives`,
      `s3: ${pid} ESRCH`,
      `s4: ${pid} ESRCH`,
    ]);
  });

  test('the next session can have the pid of a dead one, but not that of a living one', async () => {
    const { seen } = await play(
      {
        cast: [WAITS, WAITS],
        deadline_ms: 10_000,
        async on(h, own) {
          if (said('s2', 'waiting')(h)) await own.world.kill('s1');
          if (h.type !== 'ended' || h.session !== 's1') return;
          own.world.sim.reusePid(own.pids.s1 ?? 0);
          await own.start(WAITS);
          own.world.sim.reusePid(own.pids.s2 ?? 0);
          await own.start(WAITS);
        },
      },
      ({ pids }) => pids,
    );
    expect(seen.s3).toBe(seen.s1);
    expect(new Set([seen.s2, seen.s3, seen.s4]).size).toBe(3);
  });

  test('a liveness check is an operation, and can be made to fail', async () => {
    const outcome = await play({
      cast: [WAITS],
      deadline_ms: 10_000,
      async on(h, own) {
        if (said('s1', 'waiting')(h)) await liveness(own, 's1');
        if (before('s2', 'kill')(h)) own.world.sim.fail('s2', 'EPERM');
      },
    });
    expect(outcome.lines.some((line) => line.endsWith(' EPERM'))).toBe(true);
    expect(operations(outcome, 's2')[0]).toMatch(/^kill \d+$/);
  });

  test.each([
    ['gracefully', 'SIGTERM', { code: 0, signal: null }],
    ['abruptly', 'SIGTERM', { code: null, signal: 'SIGTERM' }],
    ['gracefully', 'SIGKILL', { code: null, signal: 'SIGKILL' }],
  ])('a session that waits %s gets %s from another', async (how, signal, expected) => {
    const {
      ended,
      ended_ms,
      lines: spoken,
    } = await play({
      cast: [{ command: ['sim-waits.cjs', how] }],
      deadline_ms: 10_000,
      on: once1((own) => own.start({ command: ['sim-signals.cjs', String(own.pids.s1), signal] })),
    });
    expect(spoken).toContain('s2: sent');
    expect(ended.s1).toMatchObject(expected);
    // At once, not at the next timer, and before the sender's.
    expect(ended_ms.s1).toBeLessThan(1000);
  });

  test('a session that is stopped by another goes on when it is continued', async () => {
    const { ended_ms } = await play({
      cast: [{ command: ['sim-append.cjs', '0'] }, WAITS],
      deadline_ms: 9_000_000,
      async on(h, own) {
        if (said('s2', 'waiting')(h)) await own.start({ command: ['sim-signals.cjs', String(own.pids.s2), 'SIGSTOP'] });
        if (h.type === 'ended' && h.session === 's3') {
          expect((await own.world.next(5_000_000)).type).toBe('time');
          await own.start({ command: ['sim-signals.cjs', String(own.pids.s2), 'SIGCONT'] });
        }
      },
    });
    expect(ended_ms.s2).toBeGreaterThan(5_000_000);
    expect(ended_ms.s2).toBeLessThan(5_001_000);
  });

  test('a reboot ends the sessions of its host, and gives it a new boot id', async () => {
    let struck: string[] = [];
    let settled = 0;
    const asks = [{ command: ['sim-liveness.cjs'] }, { command: ['sim-liveness.cjs'], host: 'h2' }];
    const { ended, lines: spoken } = await play({
      cast: [...asks, WAITS, WAITS, { ...WAITS, host: 'h2' }],
      deadline_ms: 10_000,
      async on(h, own) {
        if (h.type === 'ended' || (h.type === 'line' && h.text === 'waiting')) settled++;
        if (settled !== 5 || struck.length > 0) return;
        struck = await own.world.sim.reboot('h1', 'kept');
        for (const part of asks) await own.start(part);
      },
    });
    const boot = (session: string) => spoken.find((line) => line.startsWith(`${session}: booted`))?.split(' ')[2];
    expect(struck).toEqual(['s3', 's4']);
    expect(Object.keys(ended).sort()).toEqual(['s1', 's2', 's3', 's4', 's6', 's7']);
    expect(boot('s1')).toMatch(/^[0-9a-f-]{36}$/);
    expect(boot('s6')).not.toBe(boot('s1'));
    expect(boot('s7')).toBe(boot('s2'));
    expect(boot('s2')).not.toBe(boot('s1'));
  });
});

describe('power cuts', () => {
  const cut = (n: number): Script['on'] => once(said('s1', `wrote ${n}`), ({ world }) => world.sim.reboot('h1', 'lost'));
  const left = ({ state }: Play) => (readdirSync(state).includes('log') ? lines(state) : []);
  const seeds = Array.from({ length: 6 }, (_, i) => i);
  const all = Array.from({ length: 11 }, (_, i) => `line ${i}`);

  test('without fsync some of the last lines are lost, and never one in the middle', async () => {
    const lengths = new Set<number>();
    for (const seed of seeds) {
      const { seen } = await play({ cast: [{ command: ['sim-append.cjs', '20'] }], seed, powerCut: true, on: cut(10) }, left);
      expect(seen).toEqual(all.slice(0, seen.length));
      lengths.add(seen.length);
    }
    expect(lengths.size).toBeGreaterThan(2);
  });

  test('with fsync nothing is lost', async () => {
    for (const seed of seeds) {
      const { seen } = await play({ cast: [{ command: ['sim-append.cjs', '20', 'fsync'] }], seed, powerCut: true, on: cut(10) }, left);
      expect(seen).toEqual(all);
    }
  });

  test('without the account that it needs it is refused', async () => {
    await expect(play({ cast: [{ command: ['sim-append.cjs', '20'] }], on: cut(10) })).rejects.toThrow('powerCut: true');
  });
});

describe('ends', () => {
  test.each([
    ['exit', { code: 7, signal: null, reason: null, last_words: null }],
    ['throw', { code: 1, signal: null, reason: 'lock-busy', last_words: 'Error: lock-busy: somebody else is at work' }],
    ['kill', { code: null, signal: 'SIGKILL', reason: null, last_words: null }],
    ['abort', { code: null, signal: 'SIGABRT', reason: null, last_words: expect.any(String) }],
  ])('of itself, by %s, in the middle of its work', async (way, expected) => {
    const { ended } = await play({ cast: [{ command: ['sim-ends.cjs', way] }] });
    expect(ended.s1).toEqual({ type: 'ended', session: 's1', ...expected });
  });

  test('a session that spins is stuck, and is killed', async () => {
    const { happenings } = await play({ cast: [{ command: ['sim-ends.cjs', 'spin'] }], patience_ms: 1000 });
    expect(happenings.slice(-2).map(({ happening }) => happening)).toEqual([
      { type: 'stuck', session: 's1', real_ms: 1000 },
      { type: 'ended', session: 's1', code: null, signal: 'SIGKILL', reason: null, last_words: null },
    ]);
  });

  test('a session that has spoken while this process was held up is not stuck', async () => {
    const { ended } = await play({
      cast: [{ command: ['sim-append.cjs', '5'] }],
      patience_ms: 300,
      // As Ctrl-Z would: this comes when the session has been let go, and then its answer and the end of our patience are there at once.
      on: once(before('s1', 'write'), () => {
        setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500));
      }),
    });
    expect(ended.s1).toMatchObject({ code: 0 });
  });

  test('a program that can not be loaded ends as it does without us', async () => {
    const { ended, seen } = await play({ cast: [{ command: ['sim-no-such-program.cjs'] }] }, ({ log }) => log('s1', 'err'));
    expect(ended.s1).toMatchObject({ code: 1, signal: null });
    expect(seen).toContain('Cannot find module');
  });

  test('a command that is no Node program is refused', async () => {
    await expect(
      play({
        cast: [{ command: ['sim-waits.cjs'] }],
        on: once(said('s1', 'waiting'), (own) =>
          own.world.start({ ...own.launch('s2', { command: ['x'] }), command: ['python3', 'x.py'] }),
        ),
      }),
    ).rejects.toThrow(
      '`python3 x.py` is no Node program, and the sim driver needs one. To do: begin the command with `node`, or use --driver live.',
    );
  });
});

test('a session sees nothing of our own environment', async () => {
  const { lines: spoken } = await play({ cast: [{ command: ['sim-environment.cjs'] }] });
  const [names = '', rest] = spoken;
  const known = ['CRASH_CAMPAIGN_', 'HOME', 'LANG', 'NODE_OPTIONS', 'PATH', 'TMPDIR', 'TZ'];
  expect(
    names
      .replace('s1: ', '')
      .split(' ')
      .filter((name) => !known.some((prefix) => name.startsWith(prefix))),
  ).toEqual([]);
  expect(rest).toBe('s1: UTC C.UTF-8 true 0');
});

describe('what is not controlled', () => {
  test('what a session leaves behind in its group dies with it', async () => {
    const { ended } = await play({
      cast: [{ command: ['sim-uncontrolled.cjs', 'orphan'] }],
      async on(happening, { state }) {
        if (happening.type !== 'ended') return;
        while (family([{ tag: `CRASH_CAMPAIGN_STATE=${state}`, leader: null }]).length > 0) await nextTurn();
      },
    });
    expect(ended.s1).toMatchObject({ code: 0 });
  });

  test.each([
    ['shell', 'a child process', 'over'],
    ['node', 'a child process', 'null 2'],
    ['worker', 'a worker thread', 'over'],
    ['server', 'a server', 'over'],
  ])('a %s is told of, and works', async (started, what, spoken) => {
    const { ended, happenings, lines: heard } = await play({ cast: [{ command: ['sim-uncontrolled.cjs', started] }] });
    expect(happenings.map(({ happening }) => happening)).toContainEqual({ type: 'uncontrolled', session: 's1', what });
    expect(heard).toContain(`s1: ${spoken}`);
    expect(ended.s1).toMatchObject({ code: 0 });
  });

  test('a detached child is told of, and is not left behind', async () => {
    // That nothing is left, `play` sees to.
    const { happenings } = await play({ cast: [{ command: ['sim-uncontrolled.cjs', 'detached'] }], deadline_ms: 500 });
    expect(happenings.map(({ happening }) => happening.type)).toEqual(['uncontrolled', 'time']);
  });

  test.each(['nonsense', 'endless'])('a program that speaks %s on the channel itself is told of, and killed', async (what) => {
    const { happenings } = await play({ cast: [{ command: ['sim-uncontrolled.cjs', 'intruder', '3', what] }] });
    expect(happenings.map(({ happening }) => happening)).toEqual([
      { type: 'uncontrolled', session: 's1', what: 'something else than its probe spoke on the channel' },
      { type: 'ended', session: 's1', code: null, signal: 'SIGKILL', reason: null, last_words: null },
    ]);
  });

  test('a flood of lines is bounded in the log, and by the deadline', async () => {
    const { virtual_ms, seen } = await play({ cast: [{ command: ['sim-floods.cjs'] }], deadline_ms: 100 }, ({ log }) => log('s1').length);
    expect(virtual_ms).toBe(100);
    expect(seen).toBeLessThan(1_100_000);
  });

  test('a gigabyte does not fill the memory: the disk is full before, and that is told', async () => {
    const { lines: spoken, happenings } = await play({ cast: [{ command: ['sim-fills-disk.cjs'] }] });
    expect(spoken).toEqual(['s1: ENOSPC write after 256 MiB', 's1: wrote on']);
    expect(happenings.flatMap(({ happening: h }) => (h.type === 'uncontrolled' ? h.what : []))).toEqual([
      'a full disk: the state directory has no room for more than 256 MiB',
    ]);
  });

  test('a flood past the channel is drained, and bounded in the log', async () => {
    const { ended, seen } = await play({ cast: [{ command: ['sim-uncontrolled.cjs', 'flood'] }] }, ({ log }) => log('s1').length);
    expect(ended.s1).toMatchObject({ code: 0 });
    expect(seen).toBeLessThan(1_100_000);
  });
});
