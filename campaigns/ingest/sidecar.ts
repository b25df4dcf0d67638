import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The sidecar of a window that belongs to this plan, whatever its token, if its chunk is there too. Names are `<window>.<token>.json` and
 * `<window>.<token>.wav`: the token keeps a late writer from overwriting its successor's file.
 */
export function findSidecar(state: string, planId: string, window: number): { sidecar: string; media: string } | null {
  for (const name of readdirSync(join(state, 'transcription')).sort()) {
    if (!name.startsWith(`${window}.`)) continue;
    const sidecar = parse(join(state, 'transcription', name));
    if (sidecar?.plan_id === planId && existsSync(join(state, 'media', sidecar.media))) return { sidecar: name, media: sidecar.media };
  }
  return null;
}

function parse(path: string): { plan_id: string; media: string } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
