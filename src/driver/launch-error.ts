/** Why a session could not be started. */
export interface LaunchFault {
  command: string[];
  /** What is wrong, as the end of a sentence that begins with the command. */
  problem: string;
  /** The code of the system's error, e.g. `ENOENT`; null when the command was refused. */
  errno: string | null;
  remedy: string;
}

/** A kernel whose command can't be started, or must not be. */
export class LaunchError extends Error implements LaunchFault {
  override name = 'LaunchError';
  readonly command: string[];
  readonly problem: string;
  readonly errno: string | null;
  readonly remedy: string;

  constructor({ command, problem, errno, remedy }: LaunchFault, options?: ErrorOptions) {
    super(`\`${command.join(' ')}\` ${problem}. To do: ${remedy}.`, options);
    this.command = command;
    this.problem = problem;
    this.errno = errno;
    this.remedy = remedy;
  }
}

/** The error for a command that would be met by the kill in the place of the program that it launches. */
export function launcherRefused(command: string[], remedy: string): LaunchError {
  return new LaunchError({ command, problem: 'starts a launcher, and a kill would meet the launcher', errno: null, remedy });
}

/** What to do where the machine has too little of what a start takes; null: that is not why it failed. */
export function remedyForLack(errno: string): string | null {
  return LACKS[errno] ?? null;
}

const LACKS: Record<string, string> = {
  EAGAIN: 'let fewer processes and threads run at a time, or raise their limit (ulimit -u, pids.max)',
  EMFILE: 'raise the limit on open files (ulimit -n), or let fewer trials run at a time',
  ENFILE: 'let fewer trials run at a time: this machine has as many files open as it can',
};
