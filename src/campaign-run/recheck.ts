import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../history/digest.ts';
import { UnreadableFileError } from '../history/lines.ts';
import { readHistory, readRecords } from '../history/read.ts';
import type { TrialRecord, Violation } from '../history/record.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { fingerprintOf } from '../judge/fingerprint.ts';
import { judgeTrial } from '../judge/judge.ts';
import type { RunSummary } from '../judge/run-summary.ts';
import { parsePlan } from '../plan/parse.ts';
import { judgeRecords, type RunFile } from './run-file.ts';

/** What today's checkers say of a run that others have judged. */
export interface Recheck {
  /** Histories that were kept, and so could be judged again. */
  histories: number;
  /** Trials of which nothing was kept: their records stand as they are. */
  withoutHistory: number;
  /** Trials whose judgement is another now, in the order in which they ended. */
  changed: RecheckedTrial[];
  before: RunSummary;
  after: RunSummary;
  /** The records with their new judgements. */
  records: TrialRecord[];
}

export interface RecheckedTrial {
  id: string;
  before: TrialRecord['verdict'];
  after: TrialRecord['verdict'];
  /** Violations that are seen now and were not then, and the other way round. */
  found: Violation[];
  gone: Violation[];
  /** Why it is void, then and now, where that is another. */
  voidReasons: { before: string[]; after: string[] } | null;
}

/** Judges the kept histories of a run again. Nothing is run, and nothing is written. Throws UnreadableFileError. */
export async function recheck(runDirectory: string, file: RunFile, invariants: Invariant[]): Promise<Recheck> {
  const { records } = await readRecords(join(runDirectory, 'trials.ndjson'));
  const aims = new Map(file.facts.scenarios.map((scenario) => [scenario.name, scenario.aims]));
  const again: TrialRecord[] = [];
  const changed: RecheckedTrial[] = [];
  let histories = 0;
  for (const record of records) {
    const path = record.artefacts === null ? null : join(runDirectory, record.artefacts, 'history.ndjson');
    if (path === null || !existsSync(path)) {
      again.push(record);
      continue;
    }
    const history = await readHistory(path);
    if (digestOf(history) !== record.digest)
      throw new UnreadableFileError(path, null, `it is not the history that trial ${record.id} was judged by: its digest is another`);
    histories += 1;
    const judgement = judgeTrial({ history, plan: parsePlan(record.plan), invariants, aims: aims.get(record.scenario) });
    const now = { ...record, ...judgement };
    again.push(now);
    const change = changeOf(record, now);
    if (change) changed.push(change);
  }
  return {
    histories,
    withoutHistory: records.length - histories,
    changed,
    before: judgeRecords(file, records, runDirectory),
    after: judgeRecords(file, again, runDirectory),
    records: again,
  };
}

function changeOf(before: TrialRecord, after: TrialRecord): RecheckedTrial | null {
  const without = (some: Violation[], others: Violation[]) => {
    const known = new Set(others.map(fingerprintOf));
    return some.filter((violation) => !known.has(fingerprintOf(violation)));
  };
  const change: RecheckedTrial = {
    id: before.id,
    before: before.verdict,
    after: after.verdict,
    found: without(after.violations, before.violations),
    gone: without(before.violations, after.violations),
    voidReasons:
      before.void_reasons.join() === after.void_reasons.join() ? null : { before: before.void_reasons, after: after.void_reasons },
  };
  const isChanged = change.before !== change.after || change.found.length > 0 || change.gone.length > 0 || change.voidReasons !== null;
  return isChanged ? change : null;
}
