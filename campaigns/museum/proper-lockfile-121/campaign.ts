import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import pauseWhileAcquiring from '../../../scenarios/pause-while-acquiring.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import oneHolderAtATime from '../../../src/invariants/one-holder-at-a-time.ts';
import { LOCK, subject, underProperLockfile } from '../proper-lockfile.ts';
import museumCase from './case.ts';

const { source } = museumCase;

export default defineCampaign({
  ...underProperLockfile,
  name: 'proper-lockfile-121',
  title: 'Sessions share a ledger under a lock of the npm package proper-lockfile; a process that died long ago has left its lock behind.',
  subjects: [{ ...subject('4.1.2'), knownDefects: [{ invariant: 'one-holder-at-a-time', source }] }],
  setup({ state, now_ms, ttl_ms }) {
    const left_s = (now_ms - 10 * ttl_ms) / 1000;
    mkdirSync(join(state, LOCK));
    utimesSync(join(state, LOCK), left_s, left_s);
  },
  scenarios: [pauseWhileAcquiring],
  invariants: [oneHolderAtATime],
  seeds: '1-20',
});
