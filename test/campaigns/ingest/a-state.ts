import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

/** Runs a real session to its end, or kills it with SIGKILL when it says `@crash <killAt>`. */
export async function runSession(state: string, session: string, { kernel = KERNEL, killAt = '' } = {}): Promise<Ended> {
  const env = { ...process.env, CRASH_CAMPAIGN_SESSION: session, INGEST_TTL_MS: String(TTL_MS), INGEST_PACE_MS: '1' };
  const child = spawn(process.execPath, [kernel, state], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = endOf(child);
  const errors = text(child.stderr);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line === `@crash ${killAt}`) child.kill('SIGKILL');
  }
  return { ...(await ended), lines, errors: await errors };
}

function endOf(child: ChildProcess): Promise<Pick<Ended, 'code' | 'signal'>> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}
