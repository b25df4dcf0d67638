import pausePastLease from '../../../scenarios/pause-past-lease.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import noWriteAfterTheft from '../../../src/invariants/no-write-after-theft.ts';
import { subject, underProperLockfile } from '../proper-lockfile.ts';
import museumCase from './case.ts';

const { source, bug } = museumCase;

export default defineCampaign({
  ...underProperLockfile,
  name: 'proper-lockfile-robbed-holder',
  title: 'Sessions share a ledger under a lock of the npm package proper-lockfile, and its holder sleeps past its lease.',
  subjects: [{ ...subject('4.1.2'), knownDefects: bug.map((defect) => ({ ...defect, source })) }],
  scenarios: [pausePastLease],
  invariants: [noWriteAfterTheft],
  seeds: '1-20',
});
