import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { sourceOf } from '../../../src/judge/findings.ts';
import { parsePlan } from '../../../src/plan/parse.ts';

/* The shortest trial of each kind; the whole table is what `run file-locks` is for. */
const TRIALS: [subject: string, scenario: string, plan: string, breaks: string[]][] = [
  ['proper-lockfile@4.1.2', 'clock-jump', 'cast=2  holder@event#1:jump=+45s', ['no-foreign-release', 'one-holder-at-a-time']],
  ['lockfile@1.0.4', 'pause-past-lease', 's1@event#3:pause=until:s2@acquired#1  t=+5s:rival', ['no-foreign-release']],
  ['lockfile@1.0.4', 'pid-reuse', 's1@event#1:kill  s1@end:reuse-pid', []],
  ['pid-file', 'pid-reuse', 's1@event#1:kill  s1@end:reuse-pid', ['finishes', 'recovers-within']],
  ['pid-file', 'clock-jump', 'cast=2  holder@event#1:jump=+45s', []],
  ['excl-ttl', 'pause-past-lease', 's1@event#1:pause=until:s2@event#1  t=+5s:rival', []],
  [
    'excl-ttl',
    'late-unlink',
    's1@event#1:kill  s2@unlink(ledger.lock)#1:pause=until:s3@event#1  t=+1s:rival',
    ['no-foreign-release', 'one-holder-at-a-time'],
  ],
  ['flock', 'pid-reuse', 's1@event#1:kill  s1@end:reuse-pid', []],
  ['flock', 'kill-while-making', 's1@op(ledger.lock)#2:kill', []],
];

test('each lock breaks what it is known to break, and survives the rest', async () => {
  const campaign = await loadCampaign('file-locks');
  const subjects = campaign.campaign.subjects ?? [];
  await withBench({ campaign, driver: 'sim', variants: [] }, async (bench) => {
    for (const [subject, scenario, plan, breaks] of TRIALS) {
      const { record } = await bench.run({ subject, scenario, seed: 1000, variant: null }, parsePlan(plan));
      const broken = [...new Set(record.violations.map(({ invariant }) => invariant))].toSorted();
      expect({ subject, scenario, broken, void: record.void_reasons }).toEqual({ subject, scenario, broken: breaks, void: [] });
      expect(record.violations.filter((violation) => sourceOf(record, violation, subjects) === null)).toEqual([]);
    }
  });
}, 300_000);

test('a scenario that says nothing of a lock says why', async () => {
  const { campaign } = await loadCampaign('file-locks');
  const left = campaign.subjects?.flatMap(({ name, notApplicable = {} }) =>
    Object.keys(notApplicable).map((scenario) => `${scenario} ${name}`),
  );
  expect(left).toContain('pause-past-lease flock');
  expect(left).toHaveLength(8);
});

test('the page has a column for every lock, a row for every scenario, and every known defect with its source', async () => {
  const { campaign } = await loadCampaign('file-locks');
  const page = readFileSync(fileURLToPath(new URL('../../../docs/file-locks.md', import.meta.url)), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const cells = new Map(
    rows.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |[`|]/g, '').trim())).map((row) => [row[0], row]),
  );
  expect(cells.get('scenario')?.slice(2)).toEqual(campaign.subjects?.map(({ name }) => name));
  for (const { name, title } of campaign.scenarios) expect(cells.get(name)?.[1], name).toBe(title);
  for (const { name: subject, knownDefects = [] } of campaign.subjects ?? [])
    for (const { invariant, scenario = '', source } of knownDefects) {
      const isOf = (line: string) => [`\`${subject}\``, `\`${scenario}\``, `\`${invariant}\``, source].every((part) => line.includes(part));
      expect(rows.filter(isOf), `${subject} ${scenario} ${invariant}`).toHaveLength(1);
    }
});
