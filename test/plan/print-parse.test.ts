import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlanError, parsePlan } from '../../src/plan/parse.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { printPlan } from '../../src/plan/print.ts';
import { FAULTS_MAX, planSchema } from '../../src/plan/schema.ts';
import { anyPlan } from './any-plan.ts';

test('every plan is valid, prints on one line, and parses back to itself', () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      expect(planSchema.safeParse(plan).success).toBe(true);
      const printed = printPlan(plan);
      expect(printed).not.toMatch(/[\r\n\u2028\u2029]/);
      expect(parsePlan(printed)).toEqual(plan);
      expect(parsePlan(` ${printed.replaceAll('  ', '\n\t')} `)).toEqual(plan);
    }),
    { numRuns: 1_000 },
  );
});

const EXAMPLES: [string, Plan][] = [
  ['no faults', { cast: [{}], faults: [] }],
  ['cast=3  no faults', { cast: [{}, {}, {}], faults: [] }],
  [
    's1@write(events.jsonl)#3:kill  s2@op#12:pause=45s  t=+31s:steal',
    {
      cast: [{}],
      faults: [
        { where: { at: 'operation', session: 's1', kind: 'write', path: 'events.jsonl', n: 3, edge: 'before' }, action: { do: 'kill' } },
        { where: { at: 'operation', session: 's2', n: 12, edge: 'before' }, action: { do: 'pause', ms: 45_000 } },
        { where: { at: 'time', ms: 31_000, since: 'last-fault' }, action: { do: 'steal' } },
      ],
    },
  ],
  [
    'cast=proper-lockfile@4.1.2@h2,-,@h3  s1@holding+40.25%:pause=until:s2@event#1  s2@op#7+:yield=s3',
    {
      cast: [{ subject: 'proper-lockfile@4.1.2', host: 'h2' }, {}, { host: 'h3' }],
      faults: [
        {
          where: { at: 'window', session: 's1', window: 'holding', fraction: 0.4025 },
          action: { do: 'pause', until: { at: 'event', session: 's2', n: 1 } },
        },
        { where: { at: 'operation', session: 's2', n: 7, edge: 'after' }, action: { do: 'yield', to: 's3' } },
      ],
    },
  ],
  [
    's1@mkdir()#2:jump=-1.5s  s1@op(a%20b)#1:tear=0  s1@end:reuse-pid',
    {
      cast: [{}],
      faults: [
        { where: { at: 'operation', session: 's1', kind: 'mkdir', n: 2, edge: 'before' }, action: { do: 'jump', ms: -1_500 } },
        { where: { at: 'operation', session: 's1', path: 'a b', n: 1, edge: 'before' }, action: { do: 'tear', bytes: 0 } },
        { where: { at: 'end', session: 's1' }, action: { do: 'reuse-pid' } },
      ],
    },
  ],
];

test.each(EXAMPLES)('%s', (printed, plan) => {
  expect(printPlan(plan)).toBe(printed);
  expect(parsePlan(printed)).toEqual(plan);
});

test('durations may be given in any unit', () => {
  const ms = (text: string) => parsePlan(`t=${text}:steal`).faults[0]?.where;
  expect([ms('1.001s'), ms('2m'), ms('0.5h'), ms('300ms')]).toMatchObject([{ ms: 1_001 }, { ms: 120_000 }, { ms: 1_800_000 }, { ms: 300 }]);
});

describe('what is no plan says where, and what may stand there', () => {
  const cases: [text: string, position: number, piece: string, allowed: string | null][] = [
    ['', 0, '', 'no faults'],
    ['s1@op#1:kill  s1@opp#3:kill', 17, 'opp#3', 'op#N[+]'],
    ['s1@op#1:kil', 8, 'kil', 'kill'],
    ['s1@op#0:kill', 6, '0', 'a whole number from 1 to 999999999'],
    ['s1@op#1x+:kill', 6, '1x', 'a whole number from 1 to 999999999'],
    ['op#3:kill', 0, 'op#3', 's1@op#3'],
    ['end:rival', 0, 'end', 's1@end'],
    ['s01@op#3:kill', 0, 's01', 's1'],
    ['s1@op#3', 0, 's1@op#3', 'PLACE:ACTION'],
    ['s1@op#3:pause=45', 14, '45', '45s'],
    ['s1@op#3:pause=0.5ms', 14, '0.5ms', '45s'],
    ['s1@op#3:pause=9999h', 14, '9999h', '45s'],
    ['s1@op#3:pause=until:s2@holding', 23, 'holding', 'event#N'],
    ['s1@holding+101%:kill', 11, '101%', '0% to 100%, with at most two decimals'],
    ['s1@holding+1.234%:kill', 11, '1.234%', '0% to 100%, with at most two decimals'],
    ['s1@write(%zz)#1:kill', 9, '%zz', '%25 for a percent sign'],
    ['s1@op#3:corrupt=badly', 8, 'corrupt=badly', 'corrupt=truncate|garbage|empty|remove'],
    ['s1@op#3:yield=me', 14, 'me', 'holder'],
    ['t=3s:kill', 0, 't=3s:kill', null],
    ['cast=0  no faults', 5, '0', '@hN'],
    ['cast=65  no faults', 5, '65', 'cast=3'],
    ['cast=-,3', 7, '3', 'SUBJECT'],
    ['no faults t=3s:steal', 0, 'no', 'no faults'],
  ];
  test.each(cases)('%j', (text, position, piece, allowed) => {
    let error: unknown;
    try {
      parsePlan(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PlanError);
    expect(error).toMatchObject({ text, position, piece });
    if (allowed !== null) expect((error as PlanError).allowed).toContain(allowed);
    expect((error as PlanError).message).toContain(`column ${position + 1}`);
  });

  test('a plan has a most of faults', () => {
    const most = Array.from({ length: FAULTS_MAX }, () => 't=1s:steal').join(' ');
    expect(parsePlan(most).faults).toHaveLength(FAULTS_MAX);
    expect(() => parsePlan(`${most} t=1s:steal`)).toThrow('at most 1000');
  });
});
