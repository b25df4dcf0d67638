import type { Operation } from '../history/history.ts';
import type { LockSite } from '../locks/lock.ts';
import type { CastMember, Place, Window } from '../plan/plan.ts';
import type { Trial } from './trial.ts';
import type { Moment, View } from './trigger.ts';
import type { Observation, Watch } from './watch.ts';
import type { World } from './world.ts';

/** One session as the harness knows it. */
export interface Session {
  name: string;
  pid: number;
  member: CastMember;
  alive: boolean;
  paused: boolean;
  /** Whether the harness has asked for its death. */
  asked: boolean;
  /** What it said with `@crash reason`. */
  reason: string | null;
}

/** Everything that the rooms of the trial loop share while one trial runs. */
export interface Stage {
  trial: Trial;
  world: World;
  watch: Watch;
  view: View;
  sessions: Map<string, Session>;
  /** The operation that each session is about to carry out, or is carrying out, and who held the lock when it came there. */
  pending: Map<string, { operation: Operation; holder: string | null }>;
  observe(observation: Observation): void;
  site(): LockSite;
  windowsOf(session: string): Window[];
  start(member: CastMember, replaces: string | null): Promise<void>;
  /** Waits for a place, and calls `fire` once when it is reached. */
  waitFor(place: Place, fire: (moment: Moment) => Promise<void>): void;
}

export const DEFAULT_HOST = 'h1';

/** The machine of a host in a plan: `h1` of `h1/c2!`. */
export function machineOf(host: string): string {
  return host.split(/[/!]/)[0] as string;
}

export function hostOf(session: Session): string {
  return session.member.host ?? DEFAULT_HOST;
}

export function sessionsAlive(stage: Pick<Stage, 'sessions'>): Session[] {
  return [...stage.sessions.values()].filter((session) => session.alive);
}
