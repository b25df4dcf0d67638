import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCampaign } from '../../../src/campaign/load.ts';
import type { Bench } from '../../../src/campaign-run/bench.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { openBench } from '../../../src/vitest/open-bench.ts';

const campaign = await loadCampaign(fileURLToPath(new URL('../../../campaigns/fence-lock', import.meta.url)));
const LITERAL = 'removes-every-name-it-finds';
let bench: Bench;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ bench, close } = await openBench({ campaign, driver: 'sim', variants: [LITERAL] }));
});
afterAll(() => close());

/** Runs a plan, or the one that the first seed draws. */
async function trial(subject: string, scenario: string, plan: string | null = null, variant: string | null = null) {
  const about = { subject, scenario, variant, seed: 1000 };
  const { record, history } = await bench.run(about, plan === null ? bench.planOf(about) : parsePlan(plan));
  const [kill] = record.kills;
  return { ...record, history, kill, broke: [...new Set(record.violations.map(({ invariant }) => invariant))] };
}

test.each(['unnamed', 'named', 'owner-file'])(
  'after a holder’s death a lock that says whose it is is taken over at once, and any other when it is stale: %s',
  async (subject) => {
    const { verdict, kill, history } = await trial(subject, 'killed-holder', 's1@point(in-band.published)#3:kill');
    expect(verdict, subject).toBe('held');
    expect(kill?.left_lock_behind).toBe(true);
    if (subject === 'unnamed') expect(kill?.recovery_ms).toBeGreaterThan(29_900);
    else expect(kill?.recovery_ms).toBeLessThan(1_000);
    // The killed session's event was there already: its successor counts it, and writes the next.
    expect(history.entries.filter((entry) => entry.type === 'event').map(({ ref, session }) => `${ref} ${session}`)).toEqual(
      expect.arrayContaining(['events/000003.json s1', 'events/000004.json s2']),
    );
  },
);

test('an older writer that meets a stale lock with a name in it gets ENOTEMPTY for ever, until a newer writer comes', async () => {
  const kill = 's1@point(in-band.checked)#1:kill';
  const alone = await trial('unnamed', 'downgrade-after-crash', `cast=named,-  ${kill}`);
  expect(alone.broke).toEqual(['next-write-in-time', 'finishes']);
  expect(alone.violations[0]).toMatchObject({
    site: 'rmdir of the lock fails with ENOTEMPTY',
    message: expect.stringMatching(/s2's rmdir of the lock failed \d{3} times/),
  });
  const helped = await trial('unnamed', 'mixed-versions', `cast=named,-,named  ${kill}  s3@op#1:pause=50s`);
  expect(helped.broke).toEqual(['next-write-in-time']);
  expect(helped.violations[0]?.site).toBe('rmdir of the lock fails with ENOTEMPTY');
  const known = campaign.campaign.subjects?.find(({ name }) => name === 'unnamed')?.knownDefects ?? [];
  for (const invariant of alone.broke) expect(known.map((defect) => defect.invariant)).toContain(invariant);
});

const HOLDER = 'holder@point(in-band.checked)#1:kill';
test.each([
  ['pid-in-use-again', 's1@point(in-band.checked)#2:kill  s1@end:reuse-pid'],
  ['other-host', `cast=@h1,@h2  ${HOLDER}`],
  ['two-containers', `cast=@h1/c1,@h1/c2  ${HOLDER}`],
  ['unreadable-boot-id', `cast=@h1,@h1!  ${HOLDER}`],
  ['reboot-while-locked', 's1@point(in-band.checked)#2:reboot'],
  ['killed-before-naming', 's1@acquired#2:kill'],
])('who can’t know that the holder is dead waits: %s', async (scenario, plan) => {
  const { verdict, kill } = await trial('named', scenario, plan);
  expect(verdict).toBe('held');
  expect(kill?.recovery_ms).toBeGreaterThan(29_900);
});

test('two that remove one stale lock: the names decide, and where they do not, both get it', async () => {
  expect((await trial('named', 'two-removers')).verdict).toBe('held');
  expect((await trial('named', 'two-removers', null, LITERAL)).broke).toEqual(
    expect.arrayContaining(['one-holder-at-a-time', 'one-write-per-count']),
  );
});

test.each(['named', 'owner-file'])(
  'of eight that race for a dead holder’s %s lock one at a time gets it, and each count is written once',
  async (subject) => {
    const race = await trial(subject, 'eight-writers-race');
    expect(race.verdict).toBe('held');
    const writers = race.history.entries.flatMap((entry) => (entry.type === 'event' && entry.id.startsWith('attached') ? entry.id : []));
    expect(new Set(writers).size).toBeGreaterThanOrEqual(8);
  },
);
