import { join } from 'node:path';
import { CampaignError } from '../../campaign/campaign-error.ts';
import type { LoadedCampaign } from '../../campaign/load.ts';
import { parseSeeds } from '../../campaign/seeds.ts';
import { LaunchError } from '../../driver/launch-error.ts';
import { openWorkspace } from '../../driver/workspace.ts';
import { chosenOf } from '../chosen.ts';
import { RunStoppedError, stoppedBy } from '../run-errors.ts';
import { withSetup } from '../set-up.ts';
import { version } from '../versions.ts';
import { type Attendance, aborted, attend } from './attend.ts';
import type { Connection } from './connection.ts';
import { FleetError, workerStopped } from './fleet-error.ts';
import { goldenOf, OVER, type Posting } from './posting.ts';
import { refusalBefore, refusalOf } from './refusal.ts';
import type { Slots } from './slots.ts';
import { takeTrials } from './take-trials.ts';

/** A worker, as it is for all runs that it serves. */
export interface Site {
  campaign: LoadedCampaign;
  connection: Connection;
  /** Host and pid. */
  name: string;
  slots: Slots;
  workers: number;
  /** Aborted: it takes no more trials. */
  signal: AbortSignal;
  onNote(text: string): void;
}

/**
 * Takes trials of a run until it is over, nothing is heard of it any more, or the worker is to stop. Resolves to whether it is over. What it can't take it refuses as a whole, saying why: its trials are left to others.
 * @throws {FleetError} When this machine can't go on, or the run is refused and nothing else is waited for (`once`).
 */
export async function serve(site: Site, posting: Posting, once: boolean): Promise<boolean> {
  const { connection, name, signal, onNote } = site;
  const state = { name, refuses: null as string | null, running: 0 };
  const attendance = attend(connection.redis, posting.id, () => state, signal);
  try {
    onNote(`run ${posting.id}: it is looked at`);
    state.refuses = await tryToServe(site, posting, state, attendance);
    if (state.refuses === null) return attendance.ended.reason === OVER;
    onNote(`run ${posting.id} is refused: ${state.refuses}`);
    await attendance.say();
    if (once) throw new FleetError('usage', `this worker can't take the trials of run ${posting.id}: ${state.refuses}`);
    await aborted(attendance.ended);
    return attendance.ended.reason === OVER;
  } finally {
    // What has said that it refuses is to be heard, though it goes at once.
    if (!once || state.refuses === null) await attendance.leave();
  }
}

/** Why the run is refused; null: it was served. */
async function tryToServe(site: Site, posting: Posting, state: { running: number }, attendance: Attendance): Promise<string | null> {
  const { campaign } = site.campaign;
  const { request } = posting;
  const refusal = refusalBefore(posting, campaign, { 'crash-campaign': version, node: process.version });
  if (refusal !== null) return refusal;
  const seeds = parseSeeds(request.seeds);
  const { scenarios, variants } = chosenOf(campaign, { ...request, seeds, freshSeeds: request.freshSeeds ?? undefined });
  try {
    return await withSetup({ campaign: site.campaign, ...request, variants }, async (made) => {
      const golden = await goldenOf(site.connection.redis, posting.id);
      if (golden === null) return 'its golden run is not in Redis';
      const refusal = await refusalOf(posting, golden, made, { scenarios, seeds });
      if (refusal !== null) return refusal;
      const kept = await openWorkspace({ root: made.root });
      try {
        const setup = { ...made, runDirectory: join(kept.directory, 'kept') };
        return await takeTrials({ site, posting, golden, setup, state, attendance });
      } finally {
        await kept.remove();
      }
    });
  } catch (error) {
    const stopped = stoppedBy(error, site.name);
    if (stopped instanceof RunStoppedError) throw workerStopped(stopped);
    // It lacks a server or a package, or its kernel does not start.
    if (error instanceof CampaignError || error instanceof LaunchError) return error.message;
    throw error;
  }
}
