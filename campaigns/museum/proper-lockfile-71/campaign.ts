import pausePastLeaseAlone from '../../../scenarios/pause-past-lease-alone.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import { subject, underProperLockfile } from '../proper-lockfile.ts';
import museumCase from './case.ts';
import noFalseAlarm from './no-false-alarm.ts';

const { source } = museumCase;

export default defineCampaign({
  ...underProperLockfile,
  name: 'proper-lockfile-71',
  title: 'A session works under a lock of the npm package proper-lockfile, sleeps past its lease, and wakes up with nobody else there.',
  subjects: [{ ...subject('3.2.0'), knownDefects: [{ invariant: 'no-false-alarm', source }] }, subject('4.1.2')],
  scenarios: [pausePastLeaseAlone],
  invariants: [noFalseAlarm],
  seeds: '1-20',
});
