import type { StateReading } from '../history/history.ts';
import type { Invariant } from '../invariants/invariant.ts';
import type { LockAdapter, LockSite } from '../locks/lock.ts';
import type { Scenario } from '../plan/scenario.ts';

export type DriverName = 'sim' | 'live';

/** What a user declares in `campaign.ts`. */
export interface Campaign {
  /** In kebab case; the name of its folder. */
  name: string;
  title: string;
  kernel: Kernel;
  /** Absent: one subject, named like the campaign. The first is the reference: its golden run calibrates the plans of all. */
  subjects?: Subject[];
  lock: LockAdapter;
  /** Reads the durable state back. It must cope with any state that a crash can leave, and never wait. */
  read(site: LockSite): StateReading | Promise<StateReading>;
  /** Fills the empty state directory before the first session. */
  setup?(site: LockSite & { seed: number }): void | Promise<void>;
  scenarios: Scenario[];
  variants?: Variant[];
  /** Absent: all of the project's own. */
  invariants?: Invariant[];
  /** `1000-1029`, or a list. */
  seeds: string | number[];
  /** At least one driver. The first one given is the default. */
  timing: Partial<Record<DriverName, Timing>>;
  /** The reason that a robbed session gives. */
  robbed_reason: string;
  /** Other reasons for which a session may end with a code other than 0. */
  allowed_reasons?: string[];
}

export interface Kernel {
  /** Copied for every subject and variant, so that components can be stripped from it. Relative to the campaign file; default: its folder. */
  directory?: string;
  /** What of the folder is copied: files and folders, relative to it. Absent: all. For a kernel whose sources lie among much else. */
  files?: string[];
  /** `{kernel}` is the copy, `{state}` the state directory, `{ttl_ms}` the TTL, `{service}` the address of the subject's service and `{namespace}` what is this trial's in it. `node` is this process's own node. */
  command: string[];
  /** The same placeholders. CRASH_CAMPAIGN_STATE and CRASH_CAMPAIGN_SESSION are set besides. */
  env?: Record<string, string>;
}

/** One version of the kernel, or of the library in it. */
export interface Subject {
  name: string;
  env?: Record<string, string>;
  /** Packages of npm in exact versions, `lockfile@1.0.4`: what the kernel's imports of these names resolve to. */
  package?: string | string[];
  /** A file, relative to the campaign's, that says what these packages are installed with. What is not in it yet is added to it. Absent: as npm resolves it when they are first installed. */
  packageLock?: string;
  /** The install scripts of these packages, and of what they depend on, are run: for those that must be built. */
  installScripts?: true;
  /** How this subject's lock looks, where it is another than the campaign's. */
  lock?: LockAdapter;
  /** How its durable state is read, where that is another than the campaign's. */
  read?: Campaign['read'];
  /** In which its lock is kept, and perhaps its state: a server that each trial has for itself. Live only. */
  service?: ServiceKind;
  /** Scenarios that say nothing of this subject, by name, each with the reason. It is not run in them. */
  notApplicable?: Record<string, string>;
  knownDefects?: KnownDefect[];
}

/** What the harness can start; `redis-aof` keeps what it has answered, `redis` forgets it with its process. */
export const SERVICE_KINDS = ['etcd', 'postgres', 'redis', 'redis-aof'] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

export interface KnownDefect {
  invariant: string;
  /** Absent: in any scenario. */
  scenario?: string;
  /** What it is about, as findings print it: `rmdir ledger.lock by one that wanted it`. Numbers in it stand for any. Absent: whatever it is about. */
  site?: string;
  /** Where it is told of. */
  source: string;
}

/** A kernel changed on purpose: components stripped or replaced, or its text edited. With an expectation it is a negative control. */
export interface Variant {
  name: string;
  /** Of which subject it is a variant. Absent: of the first. */
  subject?: string;
  /** Names of components: the text between `// #component <name>` and `// #end` is removed. */
  strip?: string[];
  /** Components whose text is replaced by another. */
  replace?: Record<string, string>;
  /** Changes of the text itself, in this order: what a mark in the source would not be worth. */
  edit?: Edit[];
  expect?: Expectation;
  /** Names of the campaign's scenarios in which it is tried. Absent: all. */
  scenarios?: string[];
  /** How many seeds of the campaign it is tried with in each scenario. Default 10. */
  trials?: number;
}

/** One change of a kernel's text. */
export interface Edit {
  /** Relative to the kernel's directory. */
  file: string;
  /** What must stand in the file exactly once. */
  from: string;
  to: string;
}

export type Expectation =
  /** A session that no fault robbed dies with this reason. */
  | { dies: string }
  /** Each of these invariants is broken in some trial. */
  | { breaks: string[] }
  /** At least one of these is. */
  | { breaksAny: string[] };

export interface Timing {
  ttl_ms: number;
  /** A trial that takes longer is given up. */
  deadline_ms: number;
  recovers_within_ms: number;
}
