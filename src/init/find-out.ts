import { join } from 'node:path';
import type { Campaign, DriverName, Kernel, Timing } from '../campaign/campaign.ts';
import { CampaignError } from '../campaign/campaign-error.ts';
import { defineCampaign } from '../campaign/define.ts';
import { everyLine } from '../campaign/every-line.ts';
import { referenceOf, runGolden } from '../campaign-run/golden-run.ts';
import type { JudgedTrial } from '../campaign-run/run-trial.ts';
import { withSetup } from '../campaign-run/set-up.ts';
import type { TrialRecord } from '../history/record.ts';
import { factsIn } from '../history/sightings.ts';
import { allInvariants } from '../invariants/all.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { noLock } from '../locks/no-lock.ts';
import { noFaults } from '../plan/no-faults.ts';
import type { Project } from './project.ts';

/** What a program was seen to do when it was run without faults. */
export interface Seen {
  /** Lines of its files are told apart by what they say, or by where they stand because they repeat. */
  by: 'text' | 'place';
  timing: Partial<Record<DriverName, Timing>>;
  /** That stand at the end. */
  events: number;
  /** How long it took on the real clock. */
  live_ms: number;
  /** What it acknowledges though no event is called so, beside one that there is. Null: there is no such thing. */
  unknownAck: { ack: string; fact: string } | null;
  /** Why it is not simulated; null: it is, or can't be. */
  notSimulated: string | null;
}

/** What a program acknowledges need not be called what its lines say. */
const withoutAcks = allInvariants.filter(({ name }) => name !== 'no-lost-acks');

/** So long the program may take, in milliseconds. */
const LONGEST = 120_000;

/**
 * Runs the program where nothing happens to it. Throws a CampaignError with a remedy when it is none that a campaign could be made of.
 * @param say Is given a line before each run, since it may take long
 */
export async function findOut(
  command: string[],
  files: string[],
  name: string,
  project: Project,
  say: (line: string) => void,
): Promise<Seen> {
  const shown = command.join(' ').replaceAll('{kernel}/', '');
  let by: Seen['by'] = 'text';
  say(`running it on the real clock, without faults, to see what it does: it may take up to ${LONGEST / 1000} s …`);
  let live = await golden('live', withoutAcks);
  if (live.record.violations.some(({ invariant }) => invariant === 'no-duplicate-events')) {
    by = 'place';
    say('lines of it repeat, and are told apart by where they stand: running it once more …');
    live = await golden('live', withoutAcks);
  }
  requireWhole(live);
  const facts = factsIn(live.history);
  const [fact = ''] = facts;
  const ack = live.history.entries.find((entry) => entry.type === 'said' && entry.say === 'ack' && !facts.has(entry.text));
  const unknownAck = ack?.type === 'said' ? { ack: ack.text, fact } : null;
  const seen = { by, events: facts.size, live_ms: live.record.duration_ms, unknownAck };
  if (command[0] !== 'node') return onlyLive(null);
  say('running it in the simulation …');
  const { record: sim } = await golden('sim', unknownAck ? withoutAcks : allInvariants);
  const notSimulated = sim.verdict === 'held' ? (sim.nondeterministic[0] ?? null) : (sim.violations[0]?.message ?? sim.verdict);
  if (notSimulated !== null) return onlyLive(notSimulated);
  return { ...seen, timing: { sim: timingOf(sim), live: timingOf(live.record) }, notSimulated };

  function onlyLive(notSimulated: string | null): Seen {
    if (facts.size > 1) return { ...seen, timing: { live: timingOf(live.record) }, notSimulated };
    throw new CampaignError({
      given: shown,
      problem: `all that it leaves behind is one event, and on the real clock a program is killed between two of them${notSimulated === null ? '' : `; it is not simulated: ${notSimulated}`}`,
      remedy:
        'Give it work of several steps, or write a campaign that says what happens on the way: see node_modules/crash-campaign/docs/writing-a-campaign.md.',
    });
  }

  async function golden(driver: DriverName, invariants: Invariant[]): Promise<JudgedTrial> {
    const campaign = draft({ directory: '../..', ...(files.length > 0 && { files }), command }, name, driver, { by, invariants });
    const directory = join(project.directory, 'campaigns', name);
    const file = join(directory, 'campaign.ts');
    return withSetup({ campaign: { campaign, file, directory }, driver, variants: [], keep: 'none' }, (setup) =>
      runGolden(setup, referenceOf(setup)),
    );
  }

  function requireWhole({ record: { verdict, violations, void_reasons }, history }: JudgedTrial): void {
    if (verdict !== 'held')
      throw new CampaignError({
        given: shown,
        problem: `it does not hold when nothing is done to it: ${[...violations.map(({ message }) => message), ...void_reasons].join('; ')}`,
        remedy: `It must do its work in at most ${LONGEST / 1000} s, from an empty state directory, and exit 0.`,
      });
    if (factsIn(history).size === 0)
      throw new CampaignError({
        given: shown,
        problem: 'it left nothing in its state directory',
        remedy:
          'The directory is in CRASH_CAMPAIGN_STATE; where the program takes it as an argument, write {state}: crash-campaign init -- node worker.js --dir {state}.',
      });
  }
}

function draft(
  kernel: Kernel,
  name: string,
  driver: DriverName,
  { by, invariants }: { by: Seen['by']; invariants: Invariant[] },
): Campaign {
  return defineCampaign({
    name,
    title: 'draft',
    kernel,
    lock: noLock,
    read: everyLine({ by }),
    invariants,
    scenarios: [noFaults],
    seeds: '1',
    robbed_reason: 'lock-stolen',
    timing: { [driver]: { ttl_ms: 1000, recovers_within_ms: LONGEST - 1, deadline_ms: LONGEST } },
  });
}

/** A lease that the program has of its own, and of which nothing is seen while nobody is killed, is hardly longer. */
const LEASE_S = 60;

/** Room for what a recovery takes beyond a run: it may wait for a lease, and do all of the work again. */
function timingOf({ duration_ms }: TrialRecord): Timing {
  const seconds = Math.ceil((3 * duration_ms) / 1000) + 10 + LEASE_S;
  return { ttl_ms: 1_000, recovers_within_ms: seconds * 1000, deadline_ms: 3 * seconds * 1000 };
}
