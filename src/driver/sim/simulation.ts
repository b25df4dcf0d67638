import type { Happening } from '../world.ts';
import type { Disk } from './disk.ts';
import type { Durability } from './durability.ts';
import type { Hosts } from './hosts.ts';
import type { Schedule } from './schedule.ts';
import type { Session } from './session.ts';
import type { Exit } from './session-process.ts';

/** Everything that the rooms of the conductor share while one trial runs. */
export interface Simulation {
  seed: string | number;
  /** The state directory, absolute and real. */
  state: string;
  /** A session that says nothing for so long in real time, though it is its turn, is stuck. */
  patience_ms: number;
  /** Virtual microseconds since the trial began: a whole number, so that times add up alike everywhere. */
  now_us: number;
  /** In order of start, the ended ones included. */
  sessions: Session[];
  schedule: Schedule<Session>;
  hosts: Hosts;
  /** What has happened and has not been told yet. */
  happenings: Happening[];
  /** Whether there can be processes that are not sessions. */
  uncontrolled: boolean;
  /** Null where no power is cut. */
  durability: Durability | null;
  disk: Disk;
  /** Whether it has been told that the disk was full. */
  isFullTold: boolean;
}

/** What the clocks of all kernels show when a trial begins. */
export const EPOCH_MS = 1_700_000_000_000;

export function epoch_ms({ now_us }: Pick<Simulation, 'now_us'>): number {
  return EPOCH_MS + now_us / 1000;
}

/** A session's process has been reaped. */
export function end({ schedule, happenings }: Simulation, session: Session, { code, signal }: Exit): void {
  if (!session.alive) return;
  session.alive = false;
  session.operation = null;
  schedule.waits(session);
  session.output.close();
  happenings.push({
    type: 'ended',
    session: session.name,
    code,
    signal,
    reason: session.output.reason(),
    last_words: session.output.lastWords(),
  });
}

/** A session is blocked as it is: pausing it is not to give it its turn. */
export function pause({ schedule }: Simulation, session: Session): void {
  session.paused = true;
  schedule.waits(session);
}
