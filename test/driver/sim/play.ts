import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { family } from '../../../src/driver/live/processes.ts';
import { openSimWorld, type SimOptions } from '../../../src/driver/sim/sim-world.ts';
import type { Happening, Launch, SimPowers, World } from '../../../src/driver/world.ts';

export interface Part {
  /** A fixture's name, and its arguments. */
  command: string[];
  host?: string;
}

export interface Play {
  world: World & { sim: SimPowers };
  state: string;
  pids: Record<string, number>;
  /** Starts another session; its name is the next one. */
  start(part: Part): Promise<string>;
  launch(session: string, part: Part): Launch;
  /** What was kept of a stream of the session. */
  log(session: string, stream?: 'out' | 'err'): string;
}

export interface Script extends Partial<Omit<SimOptions, 'state' | 'home'>> {
  cast: Part[];
  deadline_ms?: number;
  /** What is done where. */
  on?(happening: Happening, play: Play): unknown;
}

export interface Outcome {
  /** Everything that happened, with its time and what `on` returned. */
  happenings: { t_ms: number; happening: Happening; did: unknown }[];
  digest: string;
  lines: string[];
  ended: Record<string, Extract<Happening, { type: 'ended' }>>;
  ended_ms: Record<string, number>;
  virtual_ms: number;
}

/** Runs a cast to its end or its deadline, and looks at what is left before it is removed. */
export async function play<T = undefined>(
  { cast, on, deadline_ms = 120_000, ...options }: Script,
  look?: (play: Play) => T,
): Promise<Outcome & { seen: T }> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'sim-world-')));
  const state = join(directory, 'state');
  mkdirSync(state);
  const world = await openSimWorld({ seed: 1, ...options, state, home: join(directory, 'home') });
  const outcome: Outcome = { happenings: [], digest: '', lines: [], ended: {}, ended_ms: {}, virtual_ms: 0 };
  let started = 0;
  let alive = 0;
  const own: Play = {
    world,
    state,
    pids: {},
    launch(session, { command: [fixture = '', ...args], host = 'h1' }) {
      const program = fileURLToPath(new URL(`../../fixtures/${fixture}`, import.meta.url));
      const env = { CRASH_CAMPAIGN_STATE: state, CRASH_CAMPAIGN_SESSION: session };
      return { session, host, command: ['node', program, ...args], env, log: join(directory, session), reasons: ['lock-busy'] };
    },
    async start(part) {
      const session = `s${++started}`;
      own.pids[session] = (await world.start(own.launch(session, part))).pid;
      alive++;
      return session;
    },
    log: (session, stream = 'out') => readFileSync(join(directory, `${session}.${stream}`), 'utf8'),
  };
  try {
    for (const part of cast) await own.start(part);
    while (alive > 0 && world.now() < deadline_ms) {
      const happening = await world.next(deadline_ms);
      const entry = { t_ms: world.now(), happening, did: undefined as unknown };
      outcome.happenings.push(entry);
      if (happening.type === 'line') outcome.lines.push(`${happening.session}: ${happening.text}`);
      if (happening.type === 'ended') {
        alive--;
        outcome.ended[happening.session] = happening;
        outcome.ended_ms[happening.session] = world.now();
      }
      entry.did = await on?.(happening, own);
    }
    outcome.virtual_ms = world.now();
    outcome.digest = createHash('sha256').update(JSON.stringify(outcome.happenings)).digest('hex');
    return { ...outcome, seen: look?.(own) as T };
  } finally {
    await world.close();
    const left = family([{ tag: `CRASH_CAMPAIGN_STATE=${state}`, leader: null }]);
    rmSync(directory, { recursive: true, force: true });
    expect(left).toEqual([]);
  }
}

/** The operations of a session that are over, as `kind path`. */
export function operations({ happenings }: Outcome, session: string): string[] {
  return happenings.flatMap(({ happening: h }) =>
    h.type === 'after' && h.session === session ? [`${h.operation.kind} ${h.operation.path}`] : [],
  );
}
