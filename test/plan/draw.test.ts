import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import contend from '../../scenarios/contend.ts';
import crashLoop from '../../scenarios/crash-loop.ts';
import damageLock from '../../scenarios/damage-lock.ts';
import failingDisk from '../../scenarios/failing-disk.ts';
import killAnywhere from '../../scenarios/kill-anywhere.ts';
import killAtEvent from '../../scenarios/kill-at-event.ts';
import killDuringRecovery from '../../scenarios/kill-during-recovery.ts';
import killDuringTakeover from '../../scenarios/kill-during-takeover.ts';
import killWhileHolding from '../../scenarios/kill-while-holding.ts';
import pauseWhileAcquiring from '../../scenarios/pause-while-acquiring.ts';
import powerCut from '../../scenarios/power-cut.ts';
import powerCutAfterKill from '../../scenarios/power-cut-after-kill.ts';
import raceForTheLock from '../../scenarios/race-for-the-lock.ts';
import stallBesideAnother from '../../scenarios/stall-beside-another.ts';
import stallDuringTakeover from '../../scenarios/stall-during-takeover.ts';
import stealAtRelease from '../../scenarios/steal-at-release.ts';
import stealLock from '../../scenarios/steal-lock.ts';
import takeoverAfterExpiry from '../../scenarios/takeover-after-expiry.ts';
import tornWrite from '../../scenarios/torn-write.ts';
import { drawPlan } from '../../src/plan/draw.ts';
import { noFaults } from '../../src/plan/no-faults.ts';
import type { Place, Plan } from '../../src/plan/plan.ts';
import { printPlan } from '../../src/plan/print.ts';
import type { Golden, Scenario } from '../../src/plan/scenario.ts';
import { CLOCKED, NUMBERED } from './golden-runs.ts';

const SCENARIOS = [
  contend,
  crashLoop,
  damageLock,
  killAnywhere,
  killAtEvent,
  killDuringRecovery,
  killWhileHolding,
  noFaults,
  stealLock,
  takeoverAfterExpiry,
];
/** Under a clock nothing is numbered that they could aim at. */
const SIM_ONLY = [
  failingDisk,
  killDuringTakeover,
  powerCut,
  powerCutAfterKill,
  raceForTheLock,
  stallBesideAnother,
  stallDuringTakeover,
  stealAtRelease,
  tornWrite,
];
const GOLDENS = [NUMBERED, CLOCKED];

const draw = (scenario: Scenario, golden: Golden, seed: number) => drawPlan({ campaign: 'fixture', scenario, seed, golden });
const drawMany = (scenario: Scenario, golden: Golden, count: number) =>
  Array.from({ length: count }, (_, i) => draw(scenario, golden, 1_000 + i));

const operationsOf = (plan: Plan, session: string) =>
  plan.faults
    .map((fault) => fault.where)
    .filter((place): place is Extract<Place, { at: 'operation' }> => place.at === 'operation' && place.session === session);

describe.each(SCENARIOS)('$name', (scenario) => {
  test.each(GOLDENS)('seeds 1000–1029 draw these plans under $numbering numbering', (golden) => {
    const lines = drawMany(scenario, golden, 30).map((plan, i) => `${1_000 + i}  ${printPlan(plan)}`);
    expect(`${lines.join('\n')}\n`).toMatchSnapshot();
  });

  test.each(GOLDENS)('has a handful of faults under $numbering numbering, each where the golden run has been', (golden) => {
    for (const plan of drawMany(scenario, golden, 300)) {
      expect(plan.faults.length).toBeLessThanOrEqual(5);
      for (const { where } of plan.faults) {
        if (where.at === 'window') expect(golden.windows_ms).toHaveProperty(where.window);
        if (where.at === 'operation') {
          expect(golden.numbering).toBe('operations');
          expect(where.n).toBeLessThanOrEqual(golden.operations.length);
        }
        if (where.at === 'event' && where.session !== 's2') expect(where.n).toBeLessThan(golden.events);
      }
    }
  });

  test('draws nothing from what a clock measured, so that a slow machine draws the same plans', () => {
    const slow = { ...CLOCKED, duration_ms: 9_999, windows_ms: { acquiring: 2_000, holding: 7_999 } };
    expect(drawMany(scenario, slow, 30)).toEqual(drawMany(scenario, CLOCKED, 30));
  });
});

describe.each(SIM_ONLY)('$name', (scenario) => {
  test('is for the sim driver, and seeds 1000–1029 draw these plans', () => {
    expect(scenario.drivers).toEqual(['sim']);
    const lines = drawMany(scenario, NUMBERED, 30).map((plan, i) => `${1_000 + i}  ${printPlan(plan)}`);
    expect(`${lines.join('\n')}\n`).toMatchSnapshot();
  });
});

test('a theft comes right before a change half of the time, and the rarest change gets the share of the commonest', () => {
  const kinds = drawMany(stealLock, NUMBERED, 2_000).map((plan) => NUMBERED.operations[(operationsOf(plan, 's1')[0]?.n ?? 0) - 1]);
  const share = (kind: string, path: RegExp) =>
    kinds.filter((found) => found?.kind === kind && path.test(found.path)).length / kinds.length;
  expect(share('rename', /./)).toBeGreaterThan(0.12);
  expect(share('write', /expires/)).toBeGreaterThan(0.12);
  expect(share('read', /token/)).toBeLessThan(0.12);
});

test('the power is cut after the kill, and four kills of five come before a sync or right behind an event', () => {
  const pairs = drawMany(powerCutAfterKill, NUMBERED, 500).map(({ faults }) => faults);
  for (const faults of pairs) {
    const [kill = 0, cut = 0] = faults.map(({ where }) => (where.at === 'operation' ? where.n : 0));
    expect(kill).toBeLessThan(cut);
    expect(faults.map(({ action }) => action.do)).toEqual(['kill', 'power-cut']);
  }
  const held = NUMBERED.operations.filter(({ windows }) => windows.includes('holding'));
  const meant = pairs.filter(([kill]) => {
    const operation = kill?.where.at === 'operation' ? held[kill.where.n - 1] : undefined;
    return kill?.where.at === 'operation' && (kill.where.edge === 'before' ? operation?.kind === 'fsync' : (operation?.events ?? 0) > 0);
  });
  expect(meant.length / pairs.length).toBeGreaterThan(0.7);
});

test('two that race for the lock meet at the same place half of the time', () => {
  const races = drawMany(raceForTheLock, NUMBERED, 500);
  const same = races.filter(({ faults: [stop] }) => {
    if (stop?.where.at !== 'operation' || !('until' in stop.action)) return false;
    const [mine, other] = [stop.where, stop.action.until].map((where) =>
      printPlan({ cast: [{}], faults: [{ where, action: { do: 'kill' } }] }),
    );
    return mine?.slice(2) === other?.slice(2);
  });
  expect(same.length / races.length).toBeGreaterThan(0.45);
});

test('a kill lands before, after and torn in every operation but the last, whose numbers move', () => {
  const seen = new Set<string>();
  for (const plan of drawMany(killAnywhere, NUMBERED, 3_000)) {
    const fault = plan.faults[0];
    if (fault?.where.at === 'operation') seen.add(`${fault.where.n} ${fault.action.do === 'tear' ? 'torn' : fault.where.edge}`);
  }
  for (const [index, operation] of NUMBERED.operations.slice(0, 26).entries()) {
    const n = index + 1;
    expect(seen).toContain(`${n} before`);
    expect(seen).toContain(`${n} after`);
    expect(seen.has(`${n} torn`)).toBe(operation.bytes !== null);
  }
  expect([...seen].some((place) => Number.parseInt(place, 10) > 26)).toBe(false);
});

test('a tear leaves at least one byte out', () => {
  for (const plan of drawMany(killWhileHolding, NUMBERED, 500))
    for (const { where, action } of plan.faults)
      if (action.do === 'tear' && where.at === 'operation') {
        expect(action.bytes).toBeGreaterThan(0);
        expect(action.bytes).toBeLessThan(NUMBERED.operations[where.n - 1]?.bytes ?? 0);
      }
});

test('a kill while holding is never placed where the lock is not held before or after it', () => {
  const placed = drawMany(killWhileHolding, NUMBERED, 500).flatMap((plan) => operationsOf(plan, 's1').map((place) => place.n));
  expect(Math.min(...placed)).toBe(4);
  for (const n of placed) expect(NUMBERED.operations[n - 1]?.windows).toContain('holding');
  for (const n of placed) expect(NUMBERED.operations[n]?.windows).toContain('holding');
});

test('other seeds, scenarios and campaigns draw other plans; the same draw the same', () => {
  const base = { campaign: 'one', scenario: killAnywhere, golden: NUMBERED };
  const thirty = (change: Partial<Parameters<typeof drawPlan>[0]>) =>
    Array.from({ length: 30 }, (_, seed) => printPlan(drawPlan({ ...base, seed, ...change }))).join('\n');
  expect(thirty({})).toBe(thirty({}));
  expect(thirty({ campaign: 'other' })).not.toBe(thirty({}));
  expect(thirty({ scenario: { ...killAnywhere, name: 'other' } })).not.toBe(thirty({}));
  expect(new Set(thirty({}).split('\n')).size).toBeGreaterThan(20);
});

test('a scenario that needs an operation which the golden run had none of says so', () => {
  const onlyReads = NUMBERED.operations.filter(({ changes }) => !changes).map((operation) => ({ ...operation, windows: [] }));
  const golden: Golden = { ...NUMBERED, operations: onlyReads };
  for (const scenario of [tornWrite, stallBesideAnother])
    expect(() => draw(scenario, golden, 1)).toThrow(/operation of a kind that .* had none of/);
  expect(() => draw(pauseWhileAcquiring, golden, 1)).toThrow(/a kernel that is seen acquiring/);
});

test('a scenario that needs a window which the golden run never saw says so', () => {
  expect(() => draw(killWhileHolding, { ...CLOCKED, windows_ms: { acquiring: 100 } }, 1)).toThrow(
    /seen holding, and the fault-free run never was \(windows seen: acquiring\)/,
  );
});

test('a scenario that draws what is no plan is named, with its seed and the field', () => {
  const broken: Scenario = { name: 'broken', title: '', draw: () => fc.constant({ cast: [], faults: [] }) };
  expect(() => draw(broken, CLOCKED, 7)).toThrow(/scenario broken drew no valid plan from seed 7:[^]*cast/);
});

test('what a user has set globally for fast-check changes no plan', () => {
  const before = drawMany(contend, NUMBERED, 10);
  fc.configureGlobal({ seed: 1, numRuns: 3, randomType: 'mersenne' });
  try {
    expect(drawMany(contend, NUMBERED, 10)).toEqual(before);
  } finally {
    fc.resetConfigureGlobal();
  }
});
