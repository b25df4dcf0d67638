import { beforeAll, describe, expect, test } from 'vitest';
import { loadCampaign } from '../../src/campaign/load.ts';
import { withBench } from '../../src/campaign-run/bench.ts';
import { pool } from '../../src/campaign-run/pool.ts';
import type { JudgedTrial } from '../../src/campaign-run/run-trial.ts';
import { parsePlan } from '../../src/plan/parse.ts';

/*
 * Live keeps honest what sim assumes: the same plan against the same kernel ends in the same way, and a dead holder's lock is taken over when the same share of its TTL is over.
 * Only places that mean the same under both drivers are used: events, named points, changes of the lock, windows.
 */

interface Trials {
  sim: JudgedTrial;
  live: JudgedTrial;
}

/** Under sim the TTL is a real one, under live a short one. */
interface Kernel {
  campaign: string;
  live_ttl_ms: number;
  plans: { plan: string; variant: string | null }[];
  /** So often a session looks under live at a lock that it waits for. */
  looks_ms: number;
}

const ingest: Kernel = {
  campaign: 'ingest',
  live_ttl_ms: 1500,
  looks_ms: 1500 / 25,
  plans: [
    { plan: 's1@acquired#1:kill', variant: null },
    { plan: 's1@event#3:kill', variant: null },
    { plan: 's1@point(window.2.written)#1:kill', variant: null },
    { plan: 's1@holding+40%:kill', variant: null },
    { plan: 's1@event#3:steal', variant: null },
    { plan: 'cast=2  event#2:pause=until:event#5', variant: null },
    { plan: 's1@point(window.2.written)#1:kill', variant: 'without-resume' },
    { plan: 's1@event#3:steal', variant: 'door-check-only' },
  ],
};

const properLockfile: Kernel = {
  campaign: 'proper-lockfile',
  live_ttl_ms: 4000,
  looks_ms: 100,
  plans: [
    { plan: 's1@acquired#1:kill', variant: null },
    { plan: 's1@event#3:kill', variant: null },
    { plan: 's1@holding+10%:kill', variant: null },
  ],
};

async function runBoth({ campaign: name, live_ttl_ms, plans }: Kernel): Promise<{ trials: Trials[]; start_ms: number }> {
  const loaded = await loadCampaign(name);
  const live = { ttl_ms: live_ttl_ms, recovers_within_ms: 60_000, deadline_ms: 120_000 };
  const campaign = { ...loaded, campaign: { ...loaded.campaign, timing: { ...loaded.campaign.timing, live } } };
  const variants = plans.flatMap(({ variant }) => variant ?? []);
  const found: Record<'sim' | 'live', JudgedTrial[]> = { sim: [], live: [] };
  let start_ms = 0;
  for (const driver of ['sim', 'live'] as const) {
    await withBench({ campaign, driver, variants }, async (bench) => {
      const about = { subject: loaded.campaign.subjects?.[0]?.name ?? name, scenario: 'no-faults', seed: 1000 };
      if (driver === 'live') {
        const { history } = await bench.run({ ...about, variant: null }, { cast: [{}], faults: [] });
        start_ms = history.entries.find((entry) => entry.type === 'lock')?.t_ms ?? Number.NaN;
      }
      // Under live they mostly wait.
      await pool(plans.entries(), driver === 'live' ? 4 : 1, async ([index, { plan, variant }]) => {
        found[driver][index] = await bench.run({ ...about, variant }, parsePlan(plan));
      });
    });
  }
  return { trials: plans.map((_, index) => ({ sim: found.sim[index], live: found.live[index] }) as Trials), start_ms };
}

describe.each([ingest, properLockfile])('$campaign', (kernel) => {
  let trials: Trials[];
  /** From a session's spawn to its first hold, where the lock is free: what the real clock adds to a takeover, as this machine is loaded now. */
  let start_ms: number;

  beforeAll(async () => {
    ({ trials, start_ms } = await runBoth(kernel));
  }, 120_000);

  test.each(kernel.plans.map((about, index) => ({ ...about, index })))('$plan, variant $variant', ({ index }) => {
    const { sim, live } = trials[index] as Trials;
    const brief = ({ record }: JudgedTrial) => ({
      verdict: record.verdict,
      broken: [...new Set(record.violations.map(({ invariant }) => invariant))].sort(),
      void: record.void_reasons,
      landed: record.landed.map(({ fault, state }) => ({ fault, state })),
      kills: record.kills.map((kill) => ({ left: kill.left_lock_behind, waited: kill.ttl_floor_ms > 0 })),
    });
    expect(brief(live)).toEqual(brief(sim));

    // How late the successor came after the dead lease had run out, as a share of the TTL. Live adds to it what a process takes to come up, where that is longer
    // than the lease; three times that, as the machine may be busier when several trials run at once. To have waited twice would be a whole TTL more.
    const lateness = ({ record, history }: JudgedTrial) =>
      record.kills.map(({ takeover_ms, ttl_floor_ms }) => ((takeover_ms ?? Number.NaN) - ttl_floor_ms) / history.trial.ttl_ms);
    const tolerance = (kernel.looks_ms + 3 * start_ms) / kernel.live_ttl_ms;
    const [simulated, lived] = [lateness(sim), lateness(live)];
    for (const [kill, share] of lived.entries()) expect(Math.abs(share - (simulated[kill] as number))).toBeLessThan(tolerance);
  });
});
