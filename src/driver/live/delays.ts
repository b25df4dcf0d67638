import { readProc } from '../proc.ts';
import type { Delay } from '../world.ts';

/** What is shorter is the price of every look. */
const WORTH_KEEPING_MS = 0.1;

/** Keeps account of how long sessions have waited for a processor, and of how late the harness has looked. */
export function delayMeter() {
  const delays: Delay[] = [];
  const waited = new Map<number, number>();

  function keep(delay: Delay) {
    if (delay.delay_ms >= WORTH_KEEPING_MS) delays.push(delay);
  }

  return {
    delays,
    /** To be called every few milliseconds; what a session waits after the last call is not known. */
    look(t_ms: number, sessions: Iterable<{ name: string; process: { pid: number } }>) {
      for (const { name, process } of sessions) {
        const now_ms = waitedMs(process.pid);
        if (now_ms === null) continue;
        keep({ t_ms, session: name, delay_ms: now_ms - (waited.get(process.pid) ?? 0) });
        waited.set(process.pid, now_ms);
      }
    },
    /** A look that was due at `due_ms` comes now. */
    late(t_ms: number, due_ms: number) {
      keep({ t_ms, session: null, delay_ms: t_ms - due_ms });
    },
  };
}

/** How long the main thread of a process has stood ready without a processor. Null: it has gone, or this system does not tell. */
function waitedMs(pid: number): number | null {
  const nanoseconds = readProc(`/proc/${pid}/schedstat`)?.split(' ')[1];
  return nanoseconds === undefined ? null : Number(nanoseconds) / 1e6;
}
