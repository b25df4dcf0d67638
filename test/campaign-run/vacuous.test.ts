import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constant } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import ingest from '../../campaigns/ingest/campaign.ts';
import type { Campaign } from '../../src/campaign/campaign.ts';
import { subjectsOf } from '../../src/campaign/expand.ts';
import { type RunOptions, runCampaign } from '../../src/campaign-run/run.ts';
import { allInvariants } from '../../src/invariants/all.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { cli } from '../cli/cli.ts';
import toy from '../fixtures/cli/toy/campaign.ts';

/** Every way for a campaign to hold because nothing was tried. Real processes; what is broken is the campaign, or a copy of the project. */

const root = fileURLToPath(new URL('../..', import.meta.url));
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-vacuous-'));
});
afterAll(() => rm(directory, { recursive: true }));

let runs = 0;
async function run(campaign: Campaign, kernel: string, over: Partial<RunOptions> = {}) {
  const file = join(kernel, 'campaign.ts');
  const { summary } = await runCampaign({
    campaign: { campaign: { ...campaign, kernel: { ...campaign.kernel, directory: kernel } }, file, directory: dirname(file) },
    target: campaign.name,
    driver: 'sim',
    seeds: [1],
    scenarios: campaign.scenarios.map(({ name }) => name),
    subjects: subjectsOf(campaign).map(({ name }) => name),
    variants: (campaign.variants ?? []).map(({ name }) => name),
    controls: true,
    workers: 2,
    keep: 'none',
    runDirectory: join(directory, `run-${++runs}`),
    ...over,
  });
  return summary;
}
const TOY = join(root, 'test/fixtures/cli/toy');
const INGEST = join(root, 'campaigns/ingest');
const nothing = () => ({ events: [], work: [], unreadable: [], debris: [] });

describe('the kill is disabled', () => {
  test.each([
    ['it is never sent, and said to be delivered', 'sim', '{ delivered: true } as const'],
    ['it is never sent, and said to be delivered', 'live', '{ delivered: true } as const'],
    ['it is never sent', 'sim', "{ delivered: false, why: 'disabled' } as const"],
  ])('%s, under %s: void', async (_, driver, kill) => {
    const copy = join(directory, `copy-${++runs}`);
    for (const part of ['src', 'scenarios', 'bin', 'package.json']) await cp(join(root, part), join(copy, part), { recursive: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    const deliver = join(copy, 'src/driver/deliver.ts');
    const text = await readFile(deliver, 'utf8');
    const disabled = text.replace('await world.kill(session.name)', kill);
    expect(disabled).not.toBe(text);
    await writeFile(deliver, disabled);
    const result = await cli(
      ['run', TOY, '--driver', driver, '--variant', 'without-resume', '--seeds', '1-2', '--out', join(copy, 'run')],
      { cwd: copy },
    );
    expect({ exitCode: result.exitCode, stderr: result.stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('2 void') });
    expect(result.stdout).toMatch(/^VOID/m);
    expect(result.stdout).toMatch(/no kill was delivered in kill-at-third-event, though its plans have some/);
  });
});

describe('a checker is disabled', () => {
  const scenarios = ingest.scenarios.filter(({ name }) => name === 'kill-while-holding');

  test('with all of them on, none is blind', async () => {
    const summary = await run({ ...ingest, scenarios, variants: [] }, INGEST);
    expect(summary).toMatchObject({ verdict: 'pass', exitCode: 0 });
    expect(summary.forged?.filter(({ result }) => result !== 'rejected')).toEqual([]);
  });

  test.each(allInvariants.map(({ name }) => name))('%s: blind', async (name) => {
    const invariants = allInvariants.map((invariant) => (invariant.name === name ? { ...invariant, check: () => [] } : invariant));
    const summary = await run({ ...ingest, scenarios, variants: [], invariants }, INGEST);
    expect(summary).toMatchObject({ verdict: 'blind', exitCode: 3 });
    expect(summary.reasons).toEqual([expect.stringMatching(new RegExp(`^${name} accepted a history`))]);
  });
});

describe('nothing is seen', () => {
  test('a reader that returns nothing is refused by the golden run', async () => {
    const summary = await run({ ...toy, read: nothing }, TOY);
    expect(summary).toMatchObject({ verdict: 'void', exitCode: 2, trials: { total: 1 } });
    expect(summary.reasons.join('\n')).toMatch(/the golden run saw no durable event.*reader/);
  });

  test('and also where the kernel has acknowledged what the reader does not find', async () => {
    const summary = await run({ ...ingest, read: nothing, variants: [] }, INGEST);
    expect(summary).toMatchObject({ verdict: 'fail', exitCode: 1, trials: { total: 1 } });
    expect(summary.reasons.join('\n')).toMatch(/the golden run saw no durable event.*reader/);
  });

  test('no trial is no pass', async () => {
    const summary = await run(toy, TOY, { seeds: [], controls: false, variants: [] });
    expect(summary).toMatchObject({ verdict: 'void', exitCode: 2, trials: { total: 0 } });
  });

  test('no fault where the plans have none is no pass', async () => {
    const idle = {
      name: 'idle',
      title: 'Nothing happens.',
      draw: () => constant<Plan>({ cast: [{}], faults: [] }),
    };
    const summary = await run({ ...toy, scenarios: [idle], variants: [] }, TOY);
    expect(summary).toMatchObject({ verdict: 'void', exitCode: 2 });
    expect(summary.reasons.join('\n')).toMatch(/no fault landed in any trial of idle/);
  });

  test('a quota that is missed says what to change', async () => {
    const scenarios = toy.scenarios.map((scenario) => ({ ...scenario, quotas: { renewing: 30 } }));
    const summary = await run({ ...toy, scenarios, variants: [] }, TOY, { seeds: [1, 2] });
    expect(summary).toMatchObject({ verdict: 'void', exitCode: 2 });
    expect(summary.reasons).toEqual([
      expect.stringMatching(/while renewing, and its quota is 2: draw more of its places there, or run more seeds/),
    ]);
  });
});

test.each([
  { what: 'its text', pattern: /(\/\/ #component heartbeat-renew\n).*?(?= *\/\/ #end)/s, to: '$1' },
  // Then the control that strips it can't be made; what the kernel breaks counts all the same.
  { what: 'its marks too', pattern: / *\/\/ #component heartbeat-renew\n.*?#end\n/s, to: '' },
])('the heartbeat deleted from the real kernel, $what: fail', async ({ pattern, to }) => {
  const kernel = await mkdtemp(join(directory, 'kernel-'));
  await cp(INGEST, kernel, { recursive: true });
  const source = await readFile(join(kernel, 'kernel.ts'), 'utf8');
  const without = source.replace(pattern, to);
  expect(without.length).toBeLessThan(source.length);
  await writeFile(join(kernel, 'kernel.ts'), without);
  const scenarios = ingest.scenarios.filter(({ name }) => name === 'contend');
  const variants = ingest.variants?.filter(({ name }) => name === 'without-heartbeat-renew') ?? [];
  const summary = await run({ ...ingest, scenarios, variants }, kernel, { seeds: [1000], variants: ['without-heartbeat-renew'] });
  expect(summary).toMatchObject({ verdict: 'fail', exitCode: 1, findings: [{ invariant: 'keeps-its-lease' }] });
});
