import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { ignoring, isCode, removeFile } from './durable.ts';

/**
 * Where a token makes its files before it gives them their final name: `work/<token>/`. All temporary files live there.
 *
 * Taking the directory away is the fence around sidecars and chunks. Counter-example that it defeats: a holder checks its token, sleeps past
 * its lease, a successor looks for finished windows, finds none and works; the holder wakes and renames its sidecar into place. Here the rename finds
 * no source. The holder can't begin again either, since nothing can be created in a directory that is gone, and before it
 * publishes what it creates in one that a slow contender made anew it checks its token once more.
 */
export function workDirectory(state: string, token: number): string {
  return join(state, 'work', String(token));
}

/** Takes a token's directory away. Its owner may create one more file meanwhile, and then finds that it has been robbed: so this ends. */
export function removeWork(state: string, token: number): void {
  const directory = workDirectory(state, token);
  for (;;) {
    for (const name of (ignoring(['ENOENT'], () => readdirSync(directory)) ?? []).sort()) removeFile(join(directory, name));
    try {
      rmdirSync(directory);
      return;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return;
      if (!isCode(error, 'ENOTEMPTY')) throw error;
    }
  }
}

/** The directories of the state. */
export function makeDirectories(state: string): void {
  for (const name of ['lock', 'ledger', 'transcription', 'media', 'work']) mkdirSync(join(state, name), { recursive: true });
}
