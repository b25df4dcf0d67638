import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import campaign from '../../../campaigns/ingest/campaign.ts';

export const TTL_MS = 250;
export const KERNEL = fileURLToPath(new URL('../../../campaigns/ingest/kernel.ts', import.meta.url));

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ingest-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A state directory as the campaign sets it up. */
export async function aState(): Promise<string> {
  const state = temporaryDirectory();
  await campaign.setup?.({ state, now_ms: 0, ttl_ms: TTL_MS, seed: 1 });
  return state;
}

export interface Ended {
  code: number | null;
  signal: string | null;
  /** Of its stdout. */
  lines: string[];
  /** Its stderr. */
  errors: string;
}

const KILL_AT_LINE = new URL('../../fixtures/kill-at-line.mjs', import.meta.url).href;

/** Runs a real session to its end, which is a SIGKILL as soon as it has said `@crash <killAt>`. */
export async function runSession(state: string, session: string, { kernel = KERNEL, killAt = '', ttlMs = TTL_MS } = {}): Promise<Ended> {
  const env = {
    ...process.env,
    CRASH_CAMPAIGN_SESSION: session,
    INGEST_TTL_MS: String(ttlMs),
    INGEST_PACE_MS: '1',
    KILL_AT: `@crash ${killAt}`,
  };
  const child = spawn(process.execPath, ['--import', KILL_AT_LINE, kernel, state], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [ended, said, errors] = await Promise.all([endOf(child), text(child.stdout), text(child.stderr)]);
  return { ...ended, lines: said.split('\n').slice(0, -1), errors };
}

function endOf(child: ChildProcess): Promise<Pick<Ended, 'code' | 'signal'>> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}
