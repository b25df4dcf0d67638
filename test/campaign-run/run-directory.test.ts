import { expect, test } from 'vitest';
import { CampaignError } from '../../src/campaign/campaign-error.ts';
import { deniedBy } from '../../src/campaign-run/run-directory.ts';

/* Whoever runs the tests may be allowed everything: the errors are the system's, as it would give them to others. */

test.each(['EACCES', 'EPERM', 'EROFS'])('%s in a run directory is its user’s to mend, and the path is named', (code) => {
  const told = deniedBy(Object.assign(new Error(code), { code, path: '/runs/a/lock/x.acquire' }), '/runs/a');
  expect(told).toBeInstanceOf(CampaignError);
  expect(String(told)).toMatch(new RegExp(`the run can't be written to /runs/a: ${code} at /runs/a/lock/x\\.acquire\\. Give a directory`));
});

test('any other error is left as it is', () => {
  const error = Object.assign(new Error('EIO'), { code: 'EIO' });
  expect(deniedBy(error, '/runs/a')).toBe(error);
});
