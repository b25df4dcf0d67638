import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a pid means what it means here. Processes to which this is the same see each other's pids. */
export const thisHost: string = hash([hostname(), ...(process.platform === 'linux' ? [bootId(), pidNamespace()] : [])]);

/** Whether a pid of this host is nobody's any more. One that is in use again is somebody's. */
export function isGone(pid: number): boolean {
  // #component liveness
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // #end
}

function bootId(): string {
  return orRandom(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
}

function pidNamespace(): string {
  return orRandom(() => readlinkSync('/proc/self/ns/pid'));
}

/** What can't be read must be like nobody else's: such a process neither takes over nor is taken over. */
function orRandom(read: () => string): string {
  try {
    return read();
  } catch {
    return randomBytes(16).toString('hex');
  }
}

function hash(parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);
}
