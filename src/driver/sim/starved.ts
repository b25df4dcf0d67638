import { statOf, threadState, threadsOf } from '../proc.ts';

/** How long a clock tick of /proc/PID/stat is: Linux tells all programs the same. */
const TICK_MS = 10;

/** How long a process has had the processor, in milliseconds; 0 when it has gone. */
export function processorTimeOf(pid: number): number {
  const fields = statOf(pid);
  // In user mode, and within the system for it.
  return fields === null ? 0 : TICK_MS * (Number(fields[14]) + Number(fields[15]));
}

/** Whether one of a process's threads wants the processor, or waits for a disk: it is silent because the machine is busy. */
export function isHeldUp(pid: number): boolean {
  return threadsOf(pid).some((thread) => 'RD'.includes(threadState(pid, thread)));
}
