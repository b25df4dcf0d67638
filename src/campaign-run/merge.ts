import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CampaignError } from '../campaign/campaign-error.ts';
import { byId } from '../history/digest.ts';
import { readRecords } from '../history/read.ts';
import type { TrialRecord } from '../history/record.ts';
import type { ForgedResult } from '../judge/forged.ts';
import type { RunFacts } from '../judge/run-summary.ts';
import { noFaults } from '../plan/no-faults.ts';
import { copyArtefacts } from './copy-artefacts.ts';
import { type RunIdentity, type RunRequest, requireSameIdentity } from './request.ts';
import { makeRunDirectory } from './run-directory.ts';
import { judgeAgain, lossOf, printRunFile, RUN_FILE, type RunAgain, type RunFile, readRunFile } from './run-file.ts';
import { acquireRunLock } from './run-lock.ts';
import { openRunStore } from './run-store.ts';

interface Part {
  directory: string;
  file: RunFile & { request: RunRequest; identity: RunIdentity };
  goldenRuns: TrialRecord[];
  trials: TrialRecord[];
}

/**
 * Makes one run directory of several that are parts of one run: its shards, or the same trials run in several places. A trial that is in more than one of them is taken once;
 * when the two have different histories under sim, that is a determinism bug, which the record tells of. What is missing makes the whole void.
 * @throws {CampaignError} When they are not of one run.
 */
export async function mergeRuns(
  directories: string[],
  out: string | undefined,
  { onNote }: { onNote?: (text: string) => void } = {},
): Promise<RunAgain> {
  const parts: Part[] = [];
  for (const directory of directories) parts.push(await readPart(resolve(directory), parts[0]));
  const [first] = parts as [Part];
  const golden = union(parts.map(({ goldenRuns, directory }) => ({ directory, records: goldenRuns })));
  const merged = union(parts.map(({ trials, directory }) => ({ directory, records: trials })));
  const found = [...golden.records, ...merged.records];

  const runDirectory = await makeRunDirectory(out, first.file.facts.campaign, new Date());
  const records: TrialRecord[] = [];
  let pruned = 0;
  for (const { record, directory } of found) {
    const isKept = record.artefacts !== null && (await copyArtefacts(record.artefacts, directory, runDirectory));
    if (record.artefacts !== null && !isKept) pruned += 1;
    records.push(isKept ? record : { ...record, artefacts: null });
  }
  if (pruned > 0)
    onNote?.(
      `the artefacts of ${pruned === 1 ? 'one trial' : `${pruned} trials`} are not there any more: the records are merged without them`,
    );
  const lock = await acquireRunLock(runDirectory);
  try {
    await writeTrials(join(runDirectory, 'trials.ndjson'), records);
    const store = await openRunStore(runDirectory, lock);
    const { request, queue: _, ...file } = first.file;
    const whole = { ...request, shard: null };
    await store.publish(
      RUN_FILE,
      printRunFile({
        ...file,
        finished: true,
        goldenRuns: golden.records.length,
        records: records.length,
        request: whole,
        facts: { ...factsOf(parts), ...lackOf(parts, merged.records.length), ...(merged.overlap > 0 && { overlap: merged.overlap }) },
      }),
    );
    await store.close();
  } finally {
    lock.release();
  }
  return judgeAgain(runDirectory);
}

async function readPart(directory: string, first: Part | undefined): Promise<Part> {
  const file = await readRunFile(directory);
  const { request, identity } = file;
  if (!request || !identity)
    throw new CampaignError({ problem: `the run in ${directory} does not say what it was asked for`, remedy: 'Leave it out.' });
  if (first) requireOneRun(first, { directory, request, identity, facts: file.facts });
  const { records } = await readRecords(join(directory, 'trials.ndjson'));
  return {
    directory,
    file: { ...file, request, identity },
    goldenRuns: records.slice(0, file.goldenRuns),
    trials: records.slice(file.goldenRuns),
  };
}

function requireOneRun(
  first: Part,
  { directory, request, identity, facts }: { directory: string; request: RunRequest; identity: RunIdentity; facts: RunFile['facts'] },
): void {
  const fail = (what: string) => {
    throw new CampaignError({
      problem: `the runs in ${first.directory} and ${directory} are not parts of one: ${what}`,
      remedy: 'Merge shards of one run: the same campaign, options and versions, and each with another --shard.',
    });
  };
  if (facts.campaign !== first.file.facts.campaign) fail(`they are of ${first.file.facts.campaign} and of ${facts.campaign}`);
  if (request.shard?.of !== first.file.request.shard?.of) fail(`one is ${shardOf(first.file.request)}, and the other ${shardOf(request)}`);
  // What was asked for is in the digest of all trials, but for these.
  for (const field of ['driver', 'probe', 'checkDeterminism', 'freshSeeds'] as const)
    if (request[field] !== first.file.request[field])
      fail(`${field} is ${first.file.request[field]} in one and ${request[field]} in the other`);
  // Under the real clock each has drawn its plans from golden runs of its own.
  const now = request.driver === 'live' ? { ...identity, plans: null } : identity;
  requireSameIdentity(directory, first.file.identity, now, {
    problem: `the runs in ${first.directory} and ${directory} are not parts of one`,
    remedy: 'Run them with the same versions of everything.',
  });
}

const shardOf = ({ shard }: RunRequest) => (shard === null ? 'a whole run' : `shard ${shard.index} of ${shard.of}`);

/** Each trial once, in order of id. */
function union(parts: { directory: string; records: TrialRecord[] }[]) {
  const byTrial = new Map<string, { directory: string; record: TrialRecord }>();
  let overlap = 0;
  for (const { directory, records } of parts) {
    for (const record of records) {
      const known = byTrial.get(record.id);
      if (known) overlap += 1;
      if (!known) byTrial.set(record.id, { directory, record });
      else if (differs(known.record, record))
        byTrial.set(record.id, {
          ...known,
          record: { ...known.record, repetition: { is: 'different', digest: record.digest, difference: null } },
        });
    }
  }
  return { overlap, records: [...byTrial.values()].sort((a, b) => byId(a.record, b.record)) };
}

/** Of a trial in which something uncontrolled took part nothing is promised. */
function differs(one: TrialRecord, other: TrialRecord): boolean {
  return one.driver === 'sim' && one.digest !== other.digest && [one, other].every(({ nondeterministic }) => nondeterministic.length === 0);
}

function factsOf(parts: Part[]): RunFile['facts'] {
  const all = parts.map(({ file }) => file.facts);
  // Where a golden run did not hold, there is nothing else.
  const stopped = all.find(({ scenarios }) => scenarios.every(({ name }) => name === noFaults.name));
  const [first] = all as [RunFile['facts']];
  const { shard: _, ...facts } = stopped ?? first;
  const cut = all.find((one) => one.cut !== undefined)?.cut;
  return {
    ...facts,
    ...(cut && { cut }),
    forged: forgedOf(all.map(({ forged }) => forged)),
    wallMs: all.reduce((sum, { wallMs }) => sum + wallMs, 0),
  };
}

/** Of each invariant the gravest result: accepted by one checker is accepted. */
function forgedOf(all: (ForgedResult[] | null)[]): ForgedResult[] | null {
  const results = all.flatMap((forged) => forged ?? []);
  if (results.length === 0) return null;
  const names = [...new Set(results.map(({ invariant }) => invariant))];
  const grave = ['accepted', 'rejected', 'not-plantable'];
  return names.map((name) => {
    const [first] = results
      .filter(({ invariant }) => invariant === name)
      .sort((a, b) => grave.indexOf(a.result) - grave.indexOf(b.result) || ((a.trial ?? '') < (b.trial ?? '') ? -1 : 1));
    return first as ForgedResult;
  });
}

function lackOf(parts: Part[], found: number): Pick<RunFacts, 'missing'> {
  const [{ file }] = parts as [Part];
  const of = file.trials ?? found;
  if (found >= of) return {};
  const complete = new Set(parts.filter(isComplete).map((part) => part.file.request.shard?.index));
  const shards = Array.from({ length: file.request.shard?.of ?? 0 }, (_, i) => i + 1).filter((index) => !complete.has(index));
  return { missing: { trials: of - found, of, shards } };
}

function isComplete({ file, goldenRuns, trials }: Part): boolean {
  return file.finished && !file.facts.cut && !lossOf(file, goldenRuns.length + trials.length).lost;
}

/** All at once: until `run.json` is there, it is no run. */
async function writeTrials(path: string, records: TrialRecord[]): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const record of records) await file.appendFile(`${JSON.stringify(record)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
