import { expect, test } from 'vitest';
import { otherwiseText } from '../../src/cli/replay-summary.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import { record } from '../fixtures/records.ts';

const plain = (_: unknown, text: string) => text;
const broken: Partial<TrialRecord> = {
  verdict: 'broken',
  violations: [{ invariant: 'no-write-after-theft', message: '', sessions: [], entries: [] }],
};
const [theft, other] = [{ digest: 'a', ...broken }, { digest: 'b' }];
const CHANGED = 'the kernel, its packages, the campaign, node or crash-campaign has changed since';

test.each<[what: string, before: Partial<TrialRecord>, now: Partial<TrialRecord>, text: string | null]>([
  ['went as recorded', theft, theft, null],
  ['does not break any more', theft, other, `not as recorded: broken (no-write-after-theft) then, held now; ${CHANGED}`],
  ['breaks, and did not', other, theft, `not as recorded: held then, broken (no-write-after-theft) now; ${CHANGED}`],
  [
    'is judged otherwise',
    theft,
    { digest: 'a' },
    'not as recorded: broken (no-write-after-theft) then, held now; the same history, judged anew',
  ],
  ['breaks the same with another history', theft, { ...theft, ...other }, `as recorded, with another history: ${CHANGED}`],
  ['has another history under the real clock', { ...theft, driver: 'live' }, { ...theft, ...other, driver: 'live' }, null],
  ['is in part not simulated', { ...other, nondeterministic: ['a socket'] }, { digest: 'c' }, null],
  [
    'does not break under the real clock this time',
    { ...theft, driver: 'live' },
    { ...other, driver: 'live' },
    'not as recorded: broken (no-write-after-theft) then, held now; not all of it can be repeated: --times 20 counts how often it is',
  ],
  ['is run under another driver', theft, { ...other, driver: 'live' }, null],
  ['is that of a control with the same plan', theft, { ...other, id: 'c/s/k/control/1' }, null],
])('what is said of a trial that %s', (_, before, now, text) => {
  expect(otherwiseText(record(1, now), record(1, before), plain)).toBe(text);
});
