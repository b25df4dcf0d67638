import { LaunchError } from '../driver/launch-error.ts';

/** Another harness is at work on the run directory. */
export class RunHeldError extends Error {
  override name = 'RunHeldError';

  constructor(runDirectory: string, holder: { pid: number; host: string } | null) {
    const who = holder === null ? 'another harness' : `process ${holder.pid} on ${holder.host}`;
    super(`the run directory is held: ${who} is writing ${runDirectory}. Wait for it, end it, or give another directory.`);
  }
}

/** A run that can't go on, through no fault of a kernel or of this harness. What it has written is whole, and the run can be gone on with. */
export class RunStoppedError extends Error {
  override name = 'RunStoppedError';
  readonly runDirectory: string;

  constructor(runDirectory: string, problem: string, remedy: string, options?: ErrorOptions) {
    super(`${problem}. ${remedy}`, options);
    this.runDirectory = runDirectory;
  }
}

/** Another harness has taken the run directory over while this one stood still for longer than its lease. */
export class RunLostError extends RunStoppedError {
  override name = 'RunLostError';

  constructor(runDirectory: string, token: number) {
    super(
      runDirectory,
      `lock-stolen-mid-run: another harness took ${runDirectory} over from this one (token ${token}), which had stood still for longer than its lease`,
      'Nothing is lost: the other one goes on with the run.',
    );
  }
}

/** What the machine can run out of: by the code of the error, what there is too little of, and what to do. */
const RUN_OUT: Record<string, [problem: string, remedy: string]> = {
  ENOSPC: ['there is no room left on the disk', 'Make room.'],
  EDQUOT: ['there is no room left in the disk quota', 'Make room, or have it raised.'],
  EFBIG: ['a file has grown to the limit that this process has', 'Raise it: ulimit -f.'],
  EMFILE: ['this process has as many files open as it may', 'Raise the limit (ulimit -n), or give fewer --workers.'],
  EAGAIN: ['no process or thread can be started any more', 'Raise the limit (ulimit -u, pids.max), or give fewer --workers.'],
  ENOMEM: ['there is no memory left', 'Give fewer --workers, or more memory.'],
  ENFILE: ['this machine has as many files open as it can', 'Give fewer --workers.'],
};

/** What an error means for the run: when the machine has run out of something, that it is stopped and can be gone on with. Any other error is returned as it is. */
export function stoppedBy(error: unknown, runDirectory: string): unknown {
  if (error instanceof RunStoppedError) return error;
  // The system's error may lie behind that of a kernel that could not be started, or of a campaign that could not look.
  for (let found = error; found instanceof Error; found = found.cause) {
    const code = (found instanceof LaunchError ? found.errno : (found as NodeJS.ErrnoException).code) ?? '';
    const [problem, remedy] = RUN_OUT[code] ?? [];
    if (problem === undefined) continue;
    return new RunStoppedError(
      runDirectory,
      `${problem} (${whereOf(found, code, runDirectory)})`,
      `What has been recorded is whole, and the trial that was being run will be run again. ${remedy}`,
      { cause: error },
    );
  }
  return error;
}

function whereOf(error: Error, code: string, runDirectory: string): string {
  if (error instanceof LaunchError) return `${code}: \`${error.command.join(' ')}\` ${error.problem}`;
  const { syscall, path = runDirectory } = error as NodeJS.ErrnoException;
  return `${code} from ${syscall} at ${path}`;
}
