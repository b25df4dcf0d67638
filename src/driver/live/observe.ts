import { basename } from 'node:path';
import type { LastOperation } from '../../history/history.ts';
import { LaunchError } from '../launch-error.ts';
import { PROBE } from '../probe-file.ts';
import { type Done, operationOf, type Request } from '../sim/protocol.ts';

/** The descriptor on which the probe tells, the first one after the three standard ones. */
export const CHANNEL = 3;

/** What the probe tells of a program that runs freely: each operation before it is carried out, and that it is over. */
export type Told = Request | { type: 'done'; done?: Done };

/** Keeps count of a session's operations, as the sim driver counts them. */
export function operationCounter() {
  const counts = new Map<string, number>();
  let n = 0;
  let last: LastOperation | null = null;

  return {
    hear(told: Told) {
      if (told.type === 'done') {
        if (last) last.done = true;
        return;
      }
      if (told.type !== 'operation' && told.type !== 'signal') return;
      const { kind, path } = operationOf(told);
      // As places in plans do it: a path without a slash means any of that name.
      for (const place of new Set([path, basename(path)])) counts.set(`${kind} ${place}`, (counts.get(`${kind} ${place}`) ?? 0) + 1);
      last = { n: ++n, kind, path, nth: counts.get(`${kind} ${path}`) ?? 0, done: false };
    },
    last: () => last,
  };
}

/** What the probe does under live: it tells of each operation, or it also holds the session there until it is answered. */
export type Probing = 'tell' | 'hold';

/** The environment of a Node program that is observed. Throws a LaunchError when the command is none. */
export function probedEnvironment(command: string[], env: Record<string, string>, probe: Probing): Record<string, string> {
  if (basename(command[0] ?? '') !== 'node')
    throw new LaunchError({
      command,
      problem: 'is no Node program, and the probe needs one',
      errno: null,
      remedy: 'begin the command with `node`, or leave --probe out, and places at operations',
    });
  const options = [`--require "${PROBE.replace(/[\\"]/g, '\\$&')}"`, env.NODE_OPTIONS].filter(Boolean).join(' ');
  return { ...env, NODE_OPTIONS: options, CRASH_CAMPAIGN_CHANNEL: String(CHANNEL), CRASH_CAMPAIGN_OBSERVE: probe };
}
