import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { exterminate, look, type Process, signal } from '../driver/live/processes.ts';
import { ensureReaper, HARNESS_TAG, letGo, tagVariable, watchOver } from '../driver/live/reaper.ts';
import { freePorts } from './ports.ts';
import { locate, type Server } from './servers.ts';
import { workspaceFor } from './workspace-for.ts';

/** How long a server may take until it answers. */
const START_MS_MAX = 60_000;
const LOOK_EVERY_MS = 20;
/** How long it may take to say farewell. */
const FAREWELL_MS = 5_000;
const LOG_BYTES_SHOWN = 2_000;

/** A server that this harness has started. It outlives neither this process nor its directory. */
export interface Instance {
  url: string;
  /** Counts its lives from 1; null while it is down. */
  life(): number | null;
  kill(): Promise<void>;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Ends it and removes its directory. */
  remove(): Promise<void>;
}

let instances = 0;

/**
 * Makes a directory under `root` and starts a server in it, on a free port of 127.0.0.1. Where the server refuses to be run by root, another user runs it.
 * @param template A directory that it starts from.
 */
export async function startInstance(server: Server, { root, template }: { root: string; template: string | null }): Promise<Instance> {
  await ensureReaper();
  const { workspace, user } = await workspaceFor(server, root);
  const directory = join(workspace.directory, 'server');
  const tag = `${HARNESS_TAG}.service.${++instances}.`;
  const log = join(workspace.directory, 'log');
  const port = await freePorts();
  const url = server.url(port);
  let running: { child: ChildProcess; leader: Process; over: Promise<unknown> } | null = null;
  let lives = 0;
  let up = false;

  async function start() {
    const fd = openSync(log, 'a');
    const [program = '', ...words] = server.command(directory, port);
    const child = spawn(locate(program) ?? program, words, {
      cwd: workspace.directory,
      // Its processes change their environment's memory for their titles, so that they are found by their leader as well.
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...tagVariable(tag) },
      detached: true,
      stdio: ['ignore', fd, fd],
      ...user,
    });
    closeSync(fd);
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    const { pid } = child;
    watchOver(pid);
    running = { child, leader: look(pid) as Process, over: once(child, 'exit') };
    child.once('exit', () => {
      letGo(pid);
      if (running?.child === child) running = null;
      up = false;
    });
    child.unref();
    await answers(child);
    lives += 1;
    up = true;
  }

  async function answers(child: ChildProcess) {
    const begun = performance.now();
    for (;;) {
      const error = await server.ready(url).then(
        () => null,
        (cause: Error) => cause,
      );
      if (!error) return;
      if (child.exitCode !== null || child.signalCode !== null) throw failed(`ended with ${child.exitCode ?? child.signalCode}`);
      if (performance.now() - begun > START_MS_MAX) throw failed(`did not answer within ${START_MS_MAX} ms (${error.message})`);
      await delay(LOOK_EVERY_MS);
    }
  }

  function failed(how: string): Error {
    return new Error(`${server.program} on 127.0.0.1:${port} ${how}; it said last: ${readFileSync(log, 'utf8').slice(-LOG_BYTES_SHOWN)}`);
  }

  async function kill() {
    up = false;
    await exterminate(() => [{ tag, leader: running?.leader ?? null }]);
    await ended();
  }

  /** A server keeps nothing from ending, and its end that is waited for must. */
  async function ended(within_ms?: number) {
    running?.child.ref();
    await Promise.race([running?.over, ...(within_ms === undefined ? [] : [delay(within_ms, undefined, { ref: false })])]);
  }

  async function remove() {
    if (running && server.farewell) {
      signal(running.leader, server.farewell);
      await ended(FAREWELL_MS);
    }
    await kill();
    await workspace.remove();
  }

  try {
    if (template) await execa('cp', ['-a', template, directory], { cwd: '/', ...user });
    else await mkdir(directory);
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return { url, life: () => (up ? lives : null), kill, start, remove };
}
