import type { ServiceAccess } from '../locks/lock.ts';
import type { Delivery } from './world.ts';

/**
 * What the trial loop needs of the service in which a lock is kept: a server that this trial has for itself, or one that runs elsewhere and can't be killed.
 * Live only.
 */
export interface TrialService {
  access: ServiceAccess;
  /** Counts its lives from 1; null while it is down. What was asked of it in one life says nothing when the answer comes in another. */
  life(): number | null;
  /** SIGKILL to all of it. */
  kill(): Promise<Delivery>;
  /** Starts it again, on the same port and with the data that it left. Does not wait until it answers. */
  start(): void;
  /** Starts it again if it is down, and resolves when it answers. */
  restored(): Promise<void>;
  /** Disturbs the connections between a session and the service, until the function that is returned is called. Null: the session has none that could be disturbed. */
  disturb(session: string, how: Disturbance): (() => void) | null;
}

export type Disturbance =
  /** What is sent in that direction arrives when it is over. */
  | { is: 'partition'; direction: 'both' | 'to-service' | 'from-service' }
  /** Connections are reset, and none is made. */
  | { is: 'cut' }
  /** What is sent arrives so much later. */
  | { is: 'delay'; by_ms: number };
