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

/** Codes of a write that found no room: on the disk, in a quota, or below a limit on the size of files. */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** What a failed write to the run directory, or in a trial's workspace, means for the run. Any other error is returned as it is. */
export function stoppedBy(error: unknown, runDirectory: string): unknown {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  if (!FULL.includes(code)) return error;
  return new RunStoppedError(
    runDirectory,
    `there is no room left: ${path === undefined ? message : `${code} at ${path}`}`,
    'What has been recorded is whole, and the trial that was being run will be run again: make room, or raise the limit.',
    { cause: error },
  );
}
