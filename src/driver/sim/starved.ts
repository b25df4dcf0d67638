import { readdirSync, readFileSync } from 'node:fs';

/** How long a clock tick of /proc/PID/stat is: Linux tells all programs the same. */
const TICK_MS = 10;

/** How long a process has had the processor, in milliseconds; 0 when it has gone. */
export function processorTimeOf(pid: number): number {
  const fields = fieldsOf(`/proc/${pid}/stat`);
  return TICK_MS * (Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0));
}

/** Whether one of a process's threads wants the processor, or waits for a disk: it is silent because the machine is busy. */
export function isHeldUp(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => 'RD'.includes(fieldsOf(`/proc/${pid}/task/${thread}/stat`)?.[0] ?? 'X'));
  } catch {
    return false;
  }
}

/** What follows the program's name, which may itself have spaces and parentheses in it: state, parent, … */
function fieldsOf(path: string): string[] | null {
  try {
    const stat = readFileSync(path, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
