import { CampaignError } from '../campaign/campaign-error.ts';
import type { StateReading } from '../history/history.ts';
import type { LockAdapter, LockState } from '../locks/lock.ts';
import { isSettledInTime } from './in-time.ts';

/** A promise of the campaign's is waited for so long, in real time. What does not let go of the thread can't be stopped from here. */
export const PROMISE_MS_MAX = 120_000;

/** Calls what the campaign declares: an error there is the campaign's, and not ours. */
export async function ofCampaign<T>(field: string, call: () => T | Promise<T>): Promise<T> {
  try {
    const result = call();
    if (!(result instanceof Promise) || (await isSettledInTime(result, PROMISE_MS_MAX))) return await result;
  } catch (cause) {
    throw new CampaignError(
      {
        field,
        problem: `${field} threw an error: ${cause instanceof Error ? cause.message : String(cause)}`,
        remedy: 'It must cope with whatever a crash can leave.',
      },
      { cause },
    );
  }
  throw new CampaignError({
    field,
    problem: `${field} returned a promise that was not settled within ${PROMISE_MS_MAX / 1000} s`,
    remedy: 'What it waits for needs a time limit of its own.',
  });
}

/** Under live a session is at work meanwhile: a file that was there a moment ago may be gone at the next call. What is really missing is missing again. */
const LOOKS_MAX = 3;

/** The same for what only looks at the state directory. */
export async function lookOfCampaign<T>(field: string, call: () => T | Promise<T>): Promise<T> {
  for (let looks = 1; ; looks++) {
    try {
      return await ofCampaign(field, call);
    } catch (error) {
      const { cause } = error as { cause?: NodeJS.ErrnoException };
      if (cause?.code !== 'ENOENT' || looks === LOOKS_MAX) throw error;
    }
  }
}

/** The campaign's lock adapter, whose errors and nonsense are told as the campaign's own. */
export function guarded(lock: LockAdapter): LockAdapter {
  return {
    ...lock,
    async inspect(site) {
      const state = await lookOfCampaign('lock.inspect', () => lock.inspect(site));
      if (!isLockState(state))
        throw nonsense(
          'lock.inspect',
          state,
          "{ is: 'free' }, { is: 'unreadable', why }, or { is: 'held', holder: {…}, expires_at_ms: a number or null }",
        );
      return state;
    },
    steal: (site) => ofCampaign('lock.steal', () => lock.steal(site)),
    expire: (site) => ofCampaign('lock.expire', () => lock.expire(site)),
    corrupt: (site, how) => ofCampaign('lock.corrupt', () => lock.corrupt(site, how)),
  };
}

/** A lease whose end is not given would be taken for one that has none. */
function isLockState(state: LockState | undefined): boolean {
  if (state?.is !== 'held') return state?.is === 'free' || state?.is === 'unreadable';
  const { holder, expires_at_ms: expires } = state;
  return typeof holder === 'object' && holder !== null && (expires === null || typeof expires === 'number');
}

export function checkedReading(reading: StateReading): StateReading {
  const isWhole =
    reading !== null &&
    typeof reading === 'object' &&
    [reading.events, reading.work, reading.unreadable, reading.debris].every(Array.isArray);
  const isTold = isWhole && reading.events.every((event) => typeof event?.id === 'string' && typeof event.ref === 'string');
  if (!isTold) throw nonsense('read', reading, 'a StateReading: { events: [{ id, ref, … }], work: [], unreadable: [], debris: [] }');
  return reading;
}

function nonsense(field: string, given: unknown, shape: string): CampaignError {
  return new CampaignError({
    field,
    problem: `${field} returned ${JSON.stringify(given)?.slice(0, 80) ?? 'undefined'}`,
    remedy: `It must return ${shape}.`,
  });
}
