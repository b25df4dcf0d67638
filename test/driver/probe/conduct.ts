import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Answer, Request, Welcome } from '../../../src/driver/sim/protocol.ts';

const probe = join(import.meta.dirname, '../../../src/driver/probe/main.cjs');
const EPOCH_MS = 1_700_000_000_000;
const OPERATION_MS = 0.05;

export interface Run {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: string | null;
}

export type Seen = Request & { now_ms: number };

export interface ConductedRun extends Run {
  seen: Seen[];
}

export interface Conduct {
  args?: string[];
  env?: Record<string, string>;
  seed?: string;
  cwd?: string;
  /** Kept by the caller; absent: a new one, removed afterwards. */
  state?: string;
  nodeArgs?: string[];
  /** What is special about the answer to a request; `null` kills the process instead, and `hang up` closes the channel. */
  answer?: (request: Request, count: number) => Partial<Answer> | null | undefined | 'hang up';
}

/** A new state directory, removed when `use` is done. */
export async function withState<T>(use: (state: string) => Promise<T>): Promise<T> {
  const state = await mkdtemp(join(await realpath(tmpdir()), 'probe-'));
  try {
    return await use(state);
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

/** Runs a program as it is. What it says has `{state}` in the place of its state directory. */
export async function plain(program: string, { args = [], env = {}, cwd, state, nodeArgs = [] }: Conduct = {}): Promise<Run> {
  if (state === undefined) return withState((fresh) => plain(program, { args, env, cwd, state: fresh, nodeArgs }));
  const child = spawn(process.execPath, [...nodeArgs, program, state, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => (said[stream] += text));
  const [code, signal] = await once(child, 'close');
  return { stdout: said.stdout.replaceAll(state, '{state}'), stderr: said.stderr.replaceAll(state, '{state}'), code, signal };
}

/** Runs a program under the probe, with a conductor that answers everything at once and jumps to the timer whenever it idles. */
export async function conducted(program: string, conduct: Conduct = {}): Promise<ConductedRun> {
  const { args = [], env = {}, cwd, seed = 'seed', state, nodeArgs = [], answer = () => undefined } = conduct;
  if (state === undefined) return withState((fresh) => conducted(program, { ...conduct, state: fresh }));
  const child = spawn(process.execPath, ['--require', probe, ...nodeArgs, program, state, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env, CRASH_CAMPAIGN_CHANNEL: '3', CRASH_CAMPAIGN_STATE: state },
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text: string) => (said[stream] += text));
  const channel = child.stdio[3] as Duplex;
  channel.on('error', () => {});
  const seen: Seen[] = [];
  let now_ms = EPOCH_MS;
  let text = '';
  channel.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (!text.endsWith('\n')) return;
    const request = JSON.parse(text);
    text = '';
    if (request.type === 'hello') {
      const welcome: Welcome = {
        now_ms,
        skew_ms: 0,
        pid: 4711,
        ppid: 1,
        hostname: 'alpha',
        boot_id: '11111111-2222-3333-4444-555555555555',
        pid_namespace: 'pid:[4026539999]',
        random_seed: seed,
        state,
      };
      channel.write(`${JSON.stringify(welcome)}\n`);
      return;
    }
    now_ms = request.type === 'idle' ? Math.max(now_ms, request.until_ms) : now_ms + OPERATION_MS;
    seen.push({ ...request, now_ms });
    if (request.type === 'output') said[request.stream as 'stdout' | 'stderr'] += request.text;
    const special = answer(request, seen.length);
    if (special === 'hang up') return void channel.destroy();
    if (special === null) return void child.kill('SIGKILL');
    channel.write(`${JSON.stringify({ now_ms, skew_ms: 0, ...special })}\n`);
  });
  const [code, signal] = await once(child, 'close');
  return { stdout: said.stdout.replaceAll(state, '{state}'), stderr: said.stderr.replaceAll(state, '{state}'), code, signal, seen };
}

/** The operations in short: `kind path`, with `-> to`, and `!CODE` where it failed. */
export function operationsOf({ seen }: ConductedRun): string[] {
  return seen.flatMap((request, index) => {
    if (request.type !== 'operation') return [];
    const error = seen[index + 1]?.done?.error;
    return [
      `${request.kind} ${request.path}${request.to === undefined ? '' : ` -> ${request.to}`}${error === undefined ? '' : ` !${error}`}`,
    ];
  });
}
