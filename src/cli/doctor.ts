import { statfs } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import type { Command } from 'commander';
import { execa } from 'execa';
import { type Paint, paintFor } from '../report/paint.ts';
import { table } from '../report/table.ts';
import { EXIT } from './exit-code.ts';

interface Finding {
  what: string;
  /** What was found; null: it is not there. */
  found: string | null;
  /** What it is good for, or what happens without it. */
  use: string;
}

/** `doctor`: what of the machine this project can use. Nothing in it but node is needed. */
export function addDoctor(program: Command, finish: (exitCode: number) => void) {
  program
    .command('doctor')
    .description('Show what this machine offers, and what each of it is used for.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ crash-campaign doctor')
    .action(async ({ json = false }: { json?: boolean }) => {
      const findings = await examine();
      const text = json
        ? JSON.stringify({ schema: 'crash-campaign/doctor@1', findings }, null, 2)
        : doctorText(findings, paintFor(process.stdout));
      process.stdout.write(`${text}\n`);
      finish(EXIT.pass);
    });
}

async function examine(): Promise<Finding[]> {
  return Promise.all([
    { what: 'node', found: process.version, use: 'runs crash-campaign and Node kernels' },
    { what: 'processors', found: String(availableParallelism()), use: 'trials that run at once, unless --workers says otherwise' },
    room('temporary space', tmpdir(), 'workspaces of trials, where memory has no room'),
    room('/dev/shm', '/dev/shm', 'workspaces of trials, in memory'),
    version('git', ['git', '--version'], 'the commit in each record'),
    version('setpriv', ['setpriv', '--version'], 'live: kernels die with the harness, even when it is killed'),
    works('PID namespace', ['unshare', '--pid', '--fork', '--kill-child', 'true'], 'live: whatever a kernel daemonises dies too'),
    works('user PID namespace', ['unshare', '-Urpf', '--kill-child', 'true'], 'the same, without being root'),
    version('strace', ['strace', '--version'], 'live: kills at system calls'),
    version('python3', ['python3', '--version'], 'kernels in Python'),
  ]);
}

async function version(what: string, [command = '', ...args]: string[], use: string): Promise<Finding> {
  const { exitCode, stdout } = await execa(command, args, { reject: false, stdin: 'ignore', timeout: 5000 });
  const found = /\d+(\.\d+)+/.exec(stdout ?? '')?.[0] ?? 'there';
  return { what, found: exitCode === 0 ? found : null, use };
}

/** Asks by doing: a container may have the program and refuse what it does. */
async function works(what: string, [command = '', ...args]: string[], use: string): Promise<Finding> {
  const { exitCode } = await execa(command, args, { reject: false, stdin: 'ignore', timeout: 5000 });
  return { what, found: exitCode === 0 ? 'works' : null, use };
}

async function room(what: string, path: string, use: string): Promise<Finding> {
  const space = await statfs(path).catch(() => null);
  return { what, found: space === null ? null : `${((space.bavail * space.bsize) / 2 ** 30).toFixed(1)} GiB free`, use };
}

function doctorText(findings: Finding[], paint: Paint): string {
  const rows = findings.map(({ what, found, use }) => [
    found === null ? paint('yellow', '–') : paint('green', '✓'),
    what,
    found ?? paint('yellow', 'not here'),
    use,
  ]);
  const columns = ['', 'what', 'found', 'used for'].map((name) => ({ name, align: 'left' }) as const);
  return table(columns, rows, paint);
}
