import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { printPlan } from '../../src/plan/print.ts';
import { planSchema } from '../../src/plan/schema.ts';
import { minimise, shrinkPlan } from '../../src/plan/shrink.ts';
import { anyPlan } from './any-plan.ts';

const UNBOUNDED = 1_000_000;
const minimised = async (text: string, stillFails: (printed: string, plan: Plan) => boolean) => {
  const { plan, minimal } = await minimise(parsePlan(text), async (candidate) => stillFails(printPlan(candidate), candidate), UNBOUNDED);
  expect(minimal).toBe(true);
  return printPlan(plan);
};

describe('a plan shrinks to', () => {
  test('no faults, when it fails without any', async () => {
    expect(await minimised('cast=3  s1@op#5:kill  t=+3s:rival  s2@op#2:yield=s3', () => true)).toBe('no faults');
  });

  test('the fault that it needs', async () => {
    expect(await minimised('cast=3  s1@op#5:kill  t=+3s:steal  s2@op#2:yield=s3', (printed) => printed.includes('steal'))).toBe(
      't=+0ms:steal',
    );
  });

  test('the two faults that it needs together, among twenty', async () => {
    const many = Array.from({ length: 20 }, (_, i) => `s1@op#${i + 10}:yield=s2`).join(' ');
    expect(await minimised(`s1@renewed#3:steal ${many} s1@released#2:kill`, (printed) => /steal.*kill/.test(printed))).toBe(
      's1@renewed#1:steal  s1@released#1:kill',
    );
  });

  test('the earliest place and the shortest pause that fail', async () => {
    const at = (plan: Plan) => plan.faults[0]?.where as { n: number };
    const pause = (plan: Plan) => plan.faults[0]?.action as { ms: number };
    expect(
      await minimised('s1@op#120+:pause=45.678s', (_, plan) => plan.faults.length === 1 && at(plan).n >= 37 && pause(plan).ms >= 30_001),
    ).toBe('s1@op#37:pause=30.1s');
  });

  test('a kill, where it need not be torn or take the power', async () => {
    expect(await minimised('s1@op#3:tear=17  s2@op#1:power-cut', (_, plan) => plan.faults.length === 2)).toBe('s1@op#1:kill  s2@op#1:kill');
    expect(await minimised('s1@op#3:tear=17', (printed) => printed.includes('tear'))).toBe('s1@op#1:tear=0');
  });

  test('the members of the cast that it needs, on one host if it can', async () => {
    expect(await minimised('cast=a@h1,b@h2,c@h3  no faults', (printed) => printed.includes('b'))).toBe('cast=b@h2  no faults');
    expect(await minimised('cast=@h1,@h2,@h3  no faults', (_, plan) => plan.cast.length >= 2)).toBe('cast=2  no faults');
  });

  test('an earlier end of a pause', async () => {
    expect(await minimised('s1@holding+37.5%:pause=until:s2@event#9', (printed) => printed.includes('until'))).toBe(
      's1@holding+0%:pause=until:s2@event#1',
    );
  });
});

test('faults go before deviations, and deviations before members of the cast', () => {
  const plan = parsePlan('cast=2  s1@op#1:yield=s2  s1@op#1:kill');
  expect([...shrinkPlan(plan)].slice(0, 3).map(printPlan)).toEqual([
    'cast=2  s1@op#1:yield=s2',
    'cast=2  s1@op#1:kill',
    's1@op#1:yield=s2  s1@op#1:kill',
  ]);
});

/** A failure that depends on everything in a plan, in no way that shrinking could know of. */
const someFailure = (salt: number) => async (plan: Plan) =>
  Buffer.from(printPlan(plan)).reduce((hash, byte) => (hash * 31 + byte) | 0, salt) % 3 === 0;

test('candidates are valid plans and never the plan itself; shrinking comes to an end, and shrinking again changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, fc.integer(), async (plan, salt) => {
      for (const candidate of shrinkPlan(plan)) {
        expect(planSchema.safeParse(candidate).success).toBe(true);
        expect(printPlan(candidate)).not.toBe(printPlan(plan));
      }
      const once = await minimise(plan, someFailure(salt), UNBOUNDED);
      expect(once.minimal).toBe(true);
      const again = await minimise(once.plan, someFailure(salt), UNBOUNDED);
      expect(printPlan(again.plan)).toBe(printPlan(once.plan));
    }),
    { numRuns: 200 },
  );
});

test('no more candidates are tried than the budget allows, and what was reached is returned', async () => {
  let calls = 0;
  const { plan, tried, minimal } = await minimise(
    parsePlan('s1@op#1000:kill'),
    async (candidate) => {
      calls++;
      return candidate.faults.length === 1;
    },
    1,
  );
  expect({ calls, tried, minimal, printed: printPlan(plan) }).toEqual({ calls: 1, tried: 1, minimal: false, printed: 's1@op#1000:kill' });
});

test('a hundred needless faults cost far fewer than a hundred tries', async () => {
  const needless = Array.from({ length: 100 }, () => 's1@op#1:yield=s2').join(' ');
  const { plan, tried } = await minimise(
    parsePlan(`t=0s:steal ${needless}`),
    async (candidate) => printPlan(candidate).includes('steal'),
    50,
  );
  expect(printPlan(plan)).toBe('t=0ms:steal');
  expect(tried).toBeLessThan(20);
});

test('no candidate is tried twice', async () => {
  const seen: string[] = [];
  await minimise(
    parsePlan('cast=3  s1@op#40:kill  s2@op#40:kill  s1@op#40:yield=s2'),
    async (candidate) => {
      seen.push(printPlan(candidate));
      return candidate.faults.length >= 2;
    },
    UNBOUNDED,
  );
  expect(new Set(seen).size).toBe(seen.length);
});
