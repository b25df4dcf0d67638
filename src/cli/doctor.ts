import { statfs } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import type { Command } from 'commander';
import { execa } from 'execa';
import { cachedPackages, packageCache } from '../campaign-run/packages.ts';
import { sessionCgroups } from '../driver/live/cgroup.ts';
import { type Paint, paintFor } from '../report/paint.ts';
import { table } from '../report/table.ts';
import { locate, SERVERS } from '../services/servers.ts';
import { EXIT } from './exit-code.ts';

/** What each machine has is used: the better means where it is there, beside the others. */
const ORPHANS = 'live: hold all that a session starts; without them a daemon with nothing of its session is not found';

interface Finding {
  what: string;
  /** What was found; null: it is not there. */
  found: string | null;
  /** What it is good for, or what happens without it. */
  use: string;
}

/** `doctor`: what of the machine this project can use. What is not here is said, and what for it is missed. */
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
  const asked = await Promise.all([
    room('temporary space', tmpdir(), 'workspaces of trials, where memory has no room'),
    room('/dev/shm', '/dev/shm', 'workspaces of trials, in memory'),
    works('/proc', ['test', '-r', '/proc/self/stat'], 'telling processes apart: no campaign runs without it'),
    works('sh, grep, head, tr', ['sh', '-c', 'command -v grep head sleep tr'], 'live: ends every kernel when the harness is killed'),
    packages(),
    version('npm', ['npm', '--version'], 'installs the packages that subjects name, once'),
    version('git', ['git', '--version'], 'the commit in each record'),
    version('python3', ['python3', '--version'], 'kernels in Python'),
    ...serverChecks(),
    version('strace', ['strace', '--version'], 'not used yet: kills at system calls'),
  ]);
  return [
    { what: 'node', found: process.version, use: 'runs crash-campaign and Node kernels' },
    { what: 'processors', found: String(availableParallelism()), use: 'trials that run at once, unless --workers says otherwise' },
    { what: 'control groups', found: sessionCgroups() === null ? null : 'works', use: ORPHANS },
    ...asked,
  ];
}

/** Of each program one, whatever it is started as. */
function serverChecks(): Promise<Finding>[] {
  const servers = new Map(Object.values(SERVERS).map((server) => [server.program, server]));
  return [...servers.values()].map(({ program, debian }) =>
    version(program, [locate(program) ?? program, '--version'], `services of campaigns, e.g. lock-services (Debian package ${debian})`),
  );
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

async function packages(): Promise<Finding> {
  const { length } = await cachedPackages();
  return {
    what: 'package cache',
    found: `${length === 0 ? 'empty' : length}, ${packageCache()}`,
    use: 'subjects that are packages of npm, without a network',
  };
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
