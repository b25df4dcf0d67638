import { afterEach, describe, expect, test, vi } from 'vitest';
import { guarded, lookOfCampaign, ofCampaign, PROMISE_MS_MAX } from '../../src/campaign-run/of-campaign.ts';
import type { LockState } from '../../src/locks/lock.ts';
import { noLock } from '../../src/locks/no-lock.ts';

/** Something to look at, which at the first looks fails in this way. */
function failing(times: number, error: Error) {
  let looks = 0;
  const look = () => {
    if (++looks <= times) throw error;
    return 'seen';
  };
  return { look, looks: () => looks };
}
const gone = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });

describe('looking at the state of a session that is at work', () => {
  test('what vanished while it was read is looked at again', async () => {
    expect(await lookOfCampaign('read', failing(2, gone).look)).toBe('seen');
  });

  test.each([
    ['what is missing each time', gone, 3],
    ['an error of another kind', new Error('boom'), 1],
  ])('%s is the error of the campaign', async (_, error, looks) => {
    const subject = failing(Infinity, error);
    await expect(lookOfCampaign('read', subject.look)).rejects.toMatchObject({ name: 'CampaignError', cause: error });
    expect(subject.looks()).toBe(looks);
  });
});

test.each<[what: string, state: unknown, isRight: boolean]>([
  ['a lease without an end', { is: 'held', holder: {}, expires_at_ms: null }, true],
  ['a lease whose end is not given', { is: 'held', holder: {} }, false],
  ['a lease whose end is a text', { is: 'held', holder: {}, expires_at_ms: '17' }, false],
  ['a lease of nobody', { is: 'held', expires_at_ms: 17 }, false],
  ['nothing', undefined, false],
])('%s, told by a lock adapter, is taken only if it can be', async (_, state, isRight) => {
  const { inspect } = guarded({ ...noLock, inspect: () => state as LockState });
  const seen = inspect({ state: '', now_ms: 0, ttl_ms: 0 });
  if (isRight) expect(await seen).toEqual(state);
  else await expect(seen).rejects.toThrow('lock.inspect returned');
});

describe('a promise of the campaign', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('that never comes back is an error of the campaign', async () => {
    vi.useFakeTimers();
    const error = ofCampaign('setup', () => new Promise(() => {})).catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(PROMISE_MS_MAX);
    expect(await error).toMatchObject({ name: 'CampaignError', field: 'setup' });
  });

  test('that comes back in time is its value, or its error, and nothing is left to wait for', async () => {
    vi.useFakeTimers();
    expect(await ofCampaign('read', async () => 'seen')).toBe('seen');
    await expect(ofCampaign('read', () => Promise.reject(gone))).rejects.toMatchObject({ cause: gone });
    expect(vi.getTimerCount()).toBe(0);
  });
});
