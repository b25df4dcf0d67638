import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadedCampaign } from '../../campaign/load.ts';
import { connect } from './connection.ts';
import { FleetError } from './fleet-error.ts';
import { postings } from './posting.ts';
import { serve } from './serve.ts';
import { slotsOf } from './slots.ts';

export interface WorkOptions {
  campaign: LoadedCampaign;
  url: string;
  /** So many trials at once, of all runs together. */
  workers: number;
  /** Ends with the first run that is over or that can't be taken, instead of waiting for others. */
  once: boolean;
  /** Aborted: no new trial is begun. */
  signal: AbortSignal;
  onNote(text: string): void;
}

const LOOK_EVERY_MS = 500;

/**
 * Takes trials of all runs of a campaign that are posted in a Redis, until the signal is aborted. Each run gets kernels of its own.
 * @throws {FleetError} When Redis can't be reached or has been gone for too long, or this machine can't go on; with `once` also when the run can't be taken.
 */
export async function work({ campaign, url, workers, once, signal, onNote }: WorkOptions): Promise<void> {
  const connection = await connect(url);
  connection.tell(onNote);
  const stop = new AbortController();
  const site = {
    campaign,
    connection,
    name: `${hostname()}:${process.pid}`,
    slots: slotsOf(workers),
    workers,
    signal: AbortSignal.any([signal, stop.signal, connection.lost]),
    onNote,
  };
  let failure: { error: unknown } | null = null;
  const serving = new Map<string, Promise<void>>();
  onNote(`worker ${site.name} waits for runs of ${campaign.campaign.name} at ${connection.address}`);
  try {
    while (!site.signal.aborted) {
      for (const posting of await postings(connection.redis)) {
        if (posting.campaign !== campaign.campaign.name || serving.has(posting.id)) continue;
        const served = serve(site, posting, once).then(
          (isOver) => {
            serving.delete(posting.id);
            if (once && isOver) stop.abort();
          },
          (error: unknown) => {
            failure ??= { error };
            stop.abort();
          },
        );
        serving.set(posting.id, served);
        if (once) break;
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal: site.signal }).catch(() => {});
      if (once && serving.size > 0) await Promise.all(serving.values());
    }
    await Promise.all(serving.values());
  } catch (error) {
    failure ??= { error };
  } finally {
    connection.close();
  }
  if (connection.lost.aborted) throw connection.lost.reason as FleetError;
  if (failure) throw failure.error;
}
