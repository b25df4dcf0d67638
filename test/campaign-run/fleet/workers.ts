import { hostname } from 'node:os';
import { redisCall } from '../../../src/wire/redis.ts';
import { cli } from '../../cli/cli.ts';

export interface WorkerProcess {
  /** As the run knows it. */
  name: string;
  process: ReturnType<typeof start>;
}

/** Starts `crash-campaign` from this project or a copy of it, with all that it says in one. */
export function start(args: string[], options: { cwd?: string } = {}) {
  return cli(args, { all: true, ...options });
}

export function startWorker(
  campaign: string,
  url: string,
  { more = [], ...options }: { more?: string[]; cwd?: string } = {},
): WorkerProcess {
  const process = start(['worker', campaign, '--queue', url, '--workers', '1', ...more], options);
  return { name: `${hostname()}:${process.pid}`, process };
}

/** SIGKILLs one of these workers in the middle of a trial. Null: none is at one right now. */
export async function killInTheMiddle(url: string, workers: WorkerProcess[]): Promise<WorkerProcess | null> {
  for (const one of workers) {
    if (!(await isAtTrial(url, one))) continue;
    // So that it can't come to the end of its trial between the look and the kill.
    one.process.kill('SIGSTOP');
    if (await isAtTrial(url, one)) {
      one.process.kill('SIGKILL');
      return one;
    }
    one.process.kill('SIGCONT');
  }
  return null;
}

/** Whether it has a trial, as Redis knows it. */
async function isAtTrial(url: string, { name }: WorkerProcess): Promise<boolean> {
  const lists = (await redisCall(url, 'KEYS', 'crash-campaign:*:active')) as string[];
  for (const list of lists)
    for (const id of (await redisCall(url, 'LRANGE', list, 0, -1)) as string[])
      if ((await redisCall(url, 'HGET', list.replace(/active$/, id), 'pb')) === name) return true;
  return false;
}
