import { join, resolve } from 'node:path';
import { eachRecord } from '../history/read.ts';
import type { Durations } from './shard.ts';

/** What each trial of a run took on the machine that ran it. Without a run: nothing is known. Throws UnreadableFileError. */
export async function durationsOf(runDirectory: string | null): Promise<Durations> {
  const durations = new Map<string, number>();
  if (runDirectory !== null)
    await eachRecord(join(resolve(runDirectory), 'trials.ndjson'), ({ id, wall_ms }) => durations.set(id, wall_ms));
  return durations;
}
