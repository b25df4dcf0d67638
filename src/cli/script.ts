import { CommanderError } from 'commander';
import { EXIT } from './exit-code.ts';
import { explain } from './explain.ts';

/** Runs a program of this project that is no command of `crash-campaign`, and ends with the exit code that it resolves to. An error is told in one line, as a command tells it. */
export async function script(name: string, run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    // Commander has already said what is wrong.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.pass : EXIT.usage;
    else {
      const { text, exitCode } = explain(error, process.env.DEBUG !== undefined);
      process.stderr.write(`${name}: ${text}\n`);
      process.exitCode = exitCode;
    }
  }
}
