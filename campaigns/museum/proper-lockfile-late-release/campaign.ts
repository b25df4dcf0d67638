import pauseAtRelease from '../../../scenarios/pause-at-release.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import noForeignRelease from '../../../src/invariants/no-foreign-release.ts';
import { subject, underProperLockfile } from '../proper-lockfile.ts';
import museumCase from './case.ts';

const { source, bug } = museumCase;

export default defineCampaign({
  ...underProperLockfile,
  name: 'proper-lockfile-late-release',
  title:
    'Sessions share a ledger under a lock of the npm package proper-lockfile, and its holder falls asleep when it is about to release it.',
  subjects: [{ ...subject('4.1.2'), knownDefects: bug.map((defect) => ({ ...defect, source })) }],
  scenarios: [pauseAtRelease],
  invariants: [noForeignRelease],
  seeds: '1-20',
});
