import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Campaign, DriverName, Timing } from '../campaign/campaign.ts';
import { lockOf, readerOf, subjectsOf, type TrialKey } from '../campaign/expand.ts';
import type { PreparedKernel } from '../campaign/prepare.ts';
import { openLiveWorld } from '../driver/live/live-world.ts';
import { openSimWorld } from '../driver/sim/sim-world.ts';
import { DEFAULT_HOST } from '../driver/stage.ts';
import { runTrial, type Trial } from '../driver/trial.ts';
import { openWorkspace, type Workspace } from '../driver/workspace.ts';
import type { Launch, World } from '../driver/world.ts';
import { digestOf } from '../history/digest.ts';
import type { Entry, History, StateReading, TrialFacts } from '../history/history.ts';
import type { InstalledPackage, TrialRecord } from '../history/record.ts';
import { writeHistory } from '../history/write.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { judgeTrial } from '../judge/judge.ts';
import { loadedOf } from '../judge/loaded.ts';
import type { Action, CastMember, Place, Plan } from '../plan/plan.ts';
import { printPlan } from '../plan/print.ts';
import type { Golden } from '../plan/scenario.ts';
import type { LeasedService, Services } from '../services/services.ts';
import { lastKnown } from './last-known.ts';
import { checkedReading, guarded, lookOfCampaign, ofCampaign } from './of-campaign.ts';

/** What the trials of one run have in common. */
export interface Setup {
  campaign: Campaign;
  driver: DriverName;
  /** Under live: whether a probe numbers the operations. */
  probe: boolean;
  timing: Timing;
  invariants: Invariant[];
  /** The copy of the kernel that a subject's variant is run from. */
  kernel(subject: string, variant: string | null): PreparedKernel;
  /** What a subject's packages were resolved to. */
  packages(subject: string): InstalledPackage[];
  /** Under it workspaces are made. */
  root: string;
  compileCache: string;
  services: Services;
  /** Null: nothing is kept. */
  runDirectory: string | null;
  keep: 'failed' | 'all' | 'none';
  versions: TrialRecord['versions'];
}

/** A trial as it was run and judged. */
export interface JudgedTrial {
  record: TrialRecord;
  history: History;
}

/** So many sessions a trial may take. The golden run has one: nothing happens to it that would call for another. */
const SESSIONS_MAX = 64;

const NOTHING: StateReading = { events: [], work: [], unreadable: [], debris: [] };

/** A look into a service is a question and an answer, and costs a hundred times as much as one at a file: so many are made in one lease. */
const SERVICE_LOOKS_PER_TTL = 50;

/**
 * Runs one trial in a workspace of its own, judges it, and keeps what is to be kept of it. The golden run is the trial with no golden run behind it.
 * @param watch Given the state directory, makes what is told of each operation.
 */
export async function runAndJudge(
  setup: Setup,
  key: TrialKey,
  plan: Plan,
  golden: Golden | null,
  watch?: (state: string) => Trial['atOperation'],
): Promise<JudgedTrial> {
  const { campaign, driver, timing } = setup;
  const began_ms = performance.now();
  const workspace = await openWorkspace({ root: setup.root });
  try {
    const service = await leaseService(setup, key, plan, workspace);
    const world = await openWorld(setup, key, plan, workspace);
    try {
      const facts: TrialFacts = {
        schema: 'crash-campaign/history@1',
        id: key.id,
        campaign: campaign.name,
        subject: key.subject.name,
        variant: key.variant?.name ?? null,
        scenario: key.scenario.name,
        seed: key.seed,
        driver,
        plan: printPlan(plan),
        ...timing,
        robbed_reason: campaign.robbed_reason,
        allowed_reasons: campaign.allowed_reasons ?? [],
        epoch_ms: Math.round(world.epoch() - world.now()),
        ...(golden !== null && key.subject.name === subjectsOf(campaign)[0]?.name && { golden_events: golden.events }),
      };
      const { state } = workspace;
      const access = service?.access;
      await ofCampaign('setup', () =>
        campaign.setup?.({ state, now_ms: facts.epoch_ms, ttl_ms: timing.ttl_ms, seed: key.seed, service: access }),
      );
      const launch = (session: string, member: CastMember) => launchOf(setup, key, workspace, service, session, member);
      const sessions_max = golden === null ? 1 : SESSIONS_MAX;
      const lock = guarded(lockOf(campaign, key.subject.name));
      const read = readerOf(campaign, key.subject.name);
      const packages = setup.packages(key.subject.name);
      const history = await runTrial(
        {
          facts,
          plan,
          golden,
          service,
          lock: { ...lock, inspect: lastKnown(service, { is: 'free' }, lock.inspect) },
          read: lastKnown(service, NOTHING, async (site) => checkedReading(await lookOfCampaign('read', () => read(site)))),
          state,
          launch,
          sessions_max,
          atOperation: watch?.(state),
        },
        world,
      );
      await world.close();
      const judgement = await ofCampaign('invariants', () =>
        judgeTrial({ history, invariants: setup.invariants, aims: key.scenario.aims, plan }),
      );
      const loaded = world.delays ? loadedOf(judgement.kills, world.delays, timing.ttl_ms) : null;
      const kept = setup.keep === 'all' || (setup.keep === 'failed' && judgement.verdict !== 'held');
      const record: TrialRecord = {
        schema: 'crash-campaign/trial@1',
        id: key.id,
        campaign: facts.campaign,
        subject: facts.subject,
        variant: facts.variant,
        scenario: facts.scenario,
        seed: facts.seed,
        driver,
        numbering: driver === 'sim' || probingOf(setup.probe, plan) ? 'operations' : 'clock',
        plan: facts.plan,
        ...judgement,
        events: countOf(history, 'event'),
        operations: countOf(history, 'operation'),
        operations_by_kind: kindsOf(history),
        acquisitions: history.entries.filter((entry) => entry.type === 'lock' && entry.change === 'acquired').length,
        deadline_ms: timing.deadline_ms,
        nondeterministic: [...new Set(history.entries.flatMap((entry) => (entry.type === 'uncontrolled' ? entry.what : [])))],
        duration_ms: history.entries.at(-1)?.t_ms ?? 0,
        wall_ms: Math.round(performance.now() - began_ms),
        digest: digestOf(history),
        ...(loaded && { loaded }),
        versions: setup.versions,
        ...(packages.length > 0 && { packages }),
        artefacts: kept && setup.runDirectory !== null ? artefactsOf(key.id) : null,
      };
      if (record.artefacts !== null && setup.runDirectory !== null) {
        const directory = join(setup.runDirectory, record.artefacts);
        // A harness that was killed may have kept half of it.
        await rm(directory, { recursive: true, force: true });
        await workspace.keep(directory);
        await writeHistory(join(directory, 'history.ndjson'), history);
      }
      return { record, history };
    } finally {
      await world.close();
      await service?.giveBack();
    }
  } finally {
    await workspace.remove();
  }
}

/** Where a trial's artefacts lie in the run directory. */
export function artefactsOf(id: string): string {
  return join('artefacts', ...id.split('/').slice(1));
}

/** Faults that need something between a session and the service. */
const ON_THE_WAY = new Set<Action['do']>(['partition', 'cut', 'delay']);

async function leaseService({ services }: Setup, { subject }: TrialKey, plan: Plan, workspace: Workspace): Promise<LeasedService | null> {
  if (!subject.service) return null;
  const proxied = plan.faults.some(({ action }) => ON_THE_WAY.has(action.do));
  return services.lease(subject.service, basename(workspace.directory), proxied);
}

async function openWorld(
  { driver, probe, campaign, timing, compileCache }: Setup,
  key: TrialKey,
  plan: Plan,
  { directory, state }: Workspace,
): Promise<World> {
  const home = join(directory, 'home');
  if (driver === 'live') {
    await mkdir(home);
    return openLiveWorld({
      cwd: home,
      compileCache,
      probe: probingOf(probe, plan),
      ...(key.subject.service && { tickMs: timing.ttl_ms / SERVICE_LOOKS_PER_TTL }),
    });
  }
  const powerCut = plan.faults.some(({ action }) => action.do === 'power-cut');
  // Neither the subject nor the variant is part of it: what they do not change must not change.
  const seed = [campaign.name, key.scenario.name, key.seed].join('/');
  return openSimWorld({ seed, state, home, compileCache, powerCut });
}

/** Sessions are held at their operations where the plan has places there, and slowed down by nothing else. */
function probingOf(probe: boolean, { faults }: Plan): 'tell' | 'hold' | null {
  const isHeld = faults.some(
    ({ where, action }) => isAtOperation(where) || (action.do === 'pause' && 'until' in action && isAtOperation(action.until)),
  );
  return isHeld ? 'hold' : probe ? 'tell' : null;
}

/** These windows are those of a session that is about to do something. */
function isAtOperation(place: Place): boolean {
  return place.at === 'operation' || (place.at === 'window' && ['writing', 'renewing', 'releasing'].includes(place.window));
}

async function launchOf(
  { campaign, timing, kernel }: Setup,
  key: TrialKey,
  { state, logs }: Workspace,
  service: LeasedService | null,
  session: string,
  member: CastMember,
): Promise<Launch> {
  const prepared = kernel(member.subject ?? key.subject.name, key.variant?.name ?? null);
  const access = service && { url: await service.urlFor(session), namespace: service.access.namespace };
  const { command, env } = prepared.expand({ state, ttl_ms: timing.ttl_ms, service: access ?? undefined });
  return {
    session,
    host: member.host ?? DEFAULT_HOST,
    command,
    env: { ...env, CRASH_CAMPAIGN_STATE: state, CRASH_CAMPAIGN_SESSION: session },
    log: join(logs, session),
    reasons: [campaign.robbed_reason, ...(campaign.allowed_reasons ?? [])],
  };
}

function countOf({ entries }: History, type: Entry['type']): number {
  return entries.filter((entry) => entry.type === type).length;
}

function kindsOf({ entries }: History): Record<string, number> {
  const kinds = Map.groupBy(
    entries.filter((entry) => entry.type === 'operation'),
    ({ kind }) => kind,
  );
  return Object.fromEntries([...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([kind, { length }]) => [kind, length]));
}
