import { readdirSync, readFileSync } from 'node:fs';

/** A file of /proc as text, a character for each byte. Null when the process has gone meanwhile, or is another user's. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

/** The fields of a process's `stat` by their numbers in proc(5): 1 is its pid, 3 its state. Null when it has gone. */
export function statOf(pid: number | 'self'): string[] | null {
  return fieldsOf(`/proc/${pid}/stat`);
}

/** The threads of a process; none when it has gone. */
export function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** A thread's state, as proc(5) has it; `X`, dead, when it has gone. */
export function threadState(pid: number, thread: string): string {
  return fieldsOf(`/proc/${pid}/task/${thread}/stat`)?.[3] ?? 'X';
}

function fieldsOf(path: string): string[] | null {
  const stat = readProc(path);
  if (stat === null) return null;
  // The second field is the program's name in parentheses, and may itself contain spaces and parentheses.
  const [begin, end] = [stat.indexOf('('), stat.lastIndexOf(')')];
  return ['', stat.slice(0, begin - 1), stat.slice(begin + 1, end), ...stat.slice(end + 2).split(' ')];
}
