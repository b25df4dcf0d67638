import type { Arbitrary } from 'fast-check';
import type { Plan, Window } from './plan.ts';

/** What the golden run measured: what random places are drawn from. */
export interface Golden {
  /** `operations` when state operations were numbered (sim), else `clock`. */
  numbering: 'operations' | 'clock';
  /** From the first spawn to the last exit. */
  duration_ms: number;
  ttl_ms: number;
  /** How many facts stand at its end: what came and went is none, and what is seen again, because its file was rewritten, is the same. */
  events: number;
  /** How often each named point was reached. */
  points: { name: string; count: number }[];
  /** How long the session was in each window, in all. */
  windows_ms: Partial<Record<Window, number>>;
  /** In order of their number, which counts from 1; empty when the numbering is `clock`. */
  operations: GoldenOperation[];
}

export interface GoldenOperation {
  kind: string;
  path: string;
  /** Bytes that it writes, if it writes. */
  bytes: number | null;
  /** Whether it changes the state directory. */
  changes: boolean;
  /** Durable events that it made. */
  events: number;
  windows: Window[];
}

/** A family of fault plans. */
export interface Scenario {
  /** What happens, in kebab case: `pause-past-lease`. */
  name: string;
  /** One sentence for a person. */
  title: string;
  /**
   * What a plan of this scenario may be. The plan of a trial is a pure function of (campaign, scenario, seed, golden run):
   * it must not depend on the subject.
   */
  draw(golden: Golden): Arbitrary<Plan>;
  /** The drivers that can do what its plans say. Absent: both. Under another it is left out. */
  drivers?: ('sim' | 'live')[];
  /** Of the seeds of a run so many at most are tried: for a scenario whose plans differ little. Absent: all. */
  trials?: number;
  /** A trial none of whose faults landed in one of these windows is void. Absent: anywhere will do. */
  aims?: Window[];
  /** Of 30 trials of a whole campaign at least so many must have a fault in that window, per subject; of fewer, the same share. */
  quotas?: Partial<Record<Window, number>>;
}
