import { expect, test } from 'vitest';
import { actionOf } from '../../src/history/fault-action.ts';
import { findingsOf } from '../../src/judge/findings.ts';
import { generalise } from '../../src/judge/fingerprint.ts';
import { broken, landed } from '../fixtures/records.ts';

const replay = { target: 'c', defaultDriver: 'sim' } as const;
const find = (records: Parameters<typeof findingsOf>[0]) => findingsOf(records, [{ name: 'k' }], replay);
const twice = (n: number) => ({ message: `transcribed:${n} is there twice`, site: `event transcribed:${n}` });

test('400 red trials of two kinds are two findings, wherever their faults landed', () => {
  const site = (i: number) => (i % 4 === 0 ? `file out/${i}.json` : `event in ledger/${i}.jsonl:${i}`);
  const records = Array.from({ length: 400 }, (_, i) =>
    broken(1000 + i, [{ message: `m${i}`, site: site(i) }], { landed: [landed(`s1@op#${i}:kill`, { operation: `write ${i % 50}.tmp` })] }),
  );
  expect(find(records)).toMatchObject([{ trials: 300 }, { trials: 100 }]);
});

test('what the kernel as it is breaks comes before what variants break more often, known or not', () => {
  const records = [1, 2, 3].map((seed) => broken(seed, [{ invariant: 'finishes' }], { variant: 'slower' }));
  const own = [broken(4, [{ invariant: 'state-parses' }]), broken(5, [{ invariant: 'no-debris' }])];
  const found = findingsOf([...records, ...own], [{ name: 'k', knownDefects: [{ invariant: 'no-debris', source: '#1' }] }], replay);
  expect(found.map(({ invariant }) => invariant)).toEqual(['state-parses', 'no-debris', 'finishes']);
});

test('the smallest example stands for all: fewest faults, then the shortest plan, then the lowest seed', () => {
  const example = (seed: number, plan: string) =>
    broken(seed, [twice(1)], { plan, landed: plan.split('  ').map((fault) => landed(fault)) });
  const records = [
    example(1, 's2@op#5:yield=s1  s1@op#5:kill'),
    example(4, 's1@op#5:kill'),
    example(3, 's1@op#6:kill'),
    example(3, 's1@op#5:kill'),
    example(2, 's1@op#15:kill'),
  ];
  expect(find(records)).toMatchObject([{ trials: 4, seed: 3, plan: 's1@op#5:kill', steps: 1 }]);
});

test('several violations of one kind in a trial count once', () => {
  expect(find([broken(1, [twice(1), twice(2), { invariant: 'finishes', message: 'given up' }])])).toMatchObject([
    { trials: 1 },
    { trials: 1 },
  ]);
});

test('a subject’s fingerprint is comparable with another’s', () => {
  const [a, b] = find([broken(1, [twice(1)]), broken(1, [twice(2)], { subject: 'k2' })]);
  expect(a?.fingerprint).toBe(b?.fingerprint);
  expect(a?.subject).not.toBe(b?.subject);
});

test('the replay command can be pasted', () => {
  const records = [broken(7, [{}], { subject: 'proper-lockfile@4.1.2', variant: 'no lease', driver: 'live' })];
  expect(findingsOf(records, [], { target: "../it's mine/campaign.ts", defaultDriver: 'sim' })[0]?.replay).toBe(
    "npx crash-campaign replay '../it'\\''s mine/campaign.ts' --scenario kill-anywhere --subject proper-lockfile@4.1.2 --variant 'no lease' --seed 7 --plan 's1@op#5:kill' --driver live",
  );
});

test.each([
  ['s2@op#12:pause=45s', 'pause'],
  ['s1@write(a:b.jsonl)#3:kill', 'kill'],
  ['s1@op#3:pause=until:s2@acquired#1', 'pause'],
  ['t=+31s:power-cut', 'power-cut'],
  ['s1@op#2:yield=s2', 'yield'],
])('%s does %s', (fault, action) => {
  expect(actionOf(fault)).toBe(action);
});

test.each([
  ['rename ledger/31.jsonl', 'rename ledger/#.jsonl'],
  ['open runs/wrun_01K5A8QZ3X7YV2M4N6P8R0S1T2.json', 'open runs/wrun_#.json'],
  ['open 550e8400-e29b-41d4-a716-446655440000', 'open #'],
  ['write decade/facade.json', 'write decade/facade.json'],
])('%s is %s', (text, general) => {
  expect(generalise(text)).toBe(general);
});
