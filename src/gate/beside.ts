import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverName } from '../campaign/campaign.ts';
import { defaultDriverOf, subjectsOf } from '../campaign/expand.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import { withBench } from '../campaign-run/bench.ts';
import { printRunFile, RUN_FILE, runFileOf } from '../campaign-run/run-file.ts';
import type { TrialRecord } from '../history/record.ts';
import { appendRecord } from '../history/write.ts';
import { allInvariants } from '../invariants/all.ts';
import type { RunFacts } from '../judge/run-summary.ts';
import { parsePlan } from '../plan/parse.ts';

/** Runs the other version's trial of each that the gate has run. */
export interface Beside {
  /** The same plan on the other version: to be waited for before the next trial, so that a machine that grows slower does so for both. */
  follow(record: TrialRecord): Promise<void>;
}

/**
 * Opens a bench for the other version, in the same job: its own kernel, lock, reader and times, and this one's plans. What it records is a run of its own in `runDirectory`,
 * which `compare` and `report` read like any other. Controls are not part of it: what they say of the checkers, they say on this side.
 */
export async function withBeside<T>(
  options: { campaign: LoadedCampaign; target: string; driver: DriverName; runDirectory: string; signal?: AbortSignal | undefined },
  work: (beside: Beside) => Promise<T>,
): Promise<T> {
  const { campaign, target, driver, runDirectory } = options;
  const declared = campaign.campaign;
  const subjects = subjectsOf(declared);
  const began_ms = performance.now();
  const facts = (): RunFacts => ({
    target,
    defaultDriver: defaultDriverOf(declared),
    campaign: declared.name,
    driver,
    scenarios: declared.scenarios.map(({ name }) => ({ name })),
    subjects,
    variants: [],
    invariants: (declared.invariants ?? allInvariants).map(({ name }) => name),
    forged: null,
    nullCampaign: null,
    wallMs: Math.round(performance.now() - began_ms),
    runDirectory,
  });
  const write = (finished: boolean) =>
    writeFile(join(runDirectory, RUN_FILE), printRunFile(runFileOf(facts(), { finished, goldenRuns: 0 })));
  return withBench({ campaign, driver, variants: [] }, async (bench) => {
    await mkdir(runDirectory, { recursive: true });
    await write(false);
    const result = await work({
      async follow({ subject, variant, scenario, seed, plan }) {
        if (variant !== null || !subjects.some(({ name }) => name === subject)) return;
        if (!declared.scenarios.some(({ name }) => name === scenario)) return;
        const { record } = await bench.run({ subject, variant: null, scenario, seed }, parsePlan(plan));
        await appendRecord(join(runDirectory, 'trials.ndjson'), record);
      },
    });
    await write(options.signal?.aborted !== true);
    return result;
  });
}
