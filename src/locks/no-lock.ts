import type { LockAdapter } from './lock.ts';

/** For a program that has no lock, or none that the campaign knows of yet: only scenarios that need none can be run. */
export const noLock: LockAdapter = {
  kind: 'none',
  covers: () => false,
  inspect: () => ({ is: 'free' }),
  steal: refuse,
  expire: refuse,
  corrupt: refuse,
};

function refuse(): never {
  throw new Error('there is no lock: give the campaign a lock adapter, or leave out the scenarios that tamper with it');
}
