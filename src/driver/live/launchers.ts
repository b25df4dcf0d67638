import { basename } from 'node:path';

const PACKAGE_RUNNERS = ['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'bun', 'bunx', 'corepack'];
const LOADERS = ['tsx', 'ts-node', 'nodemon'];
const SHELLS = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'fish', 'busybox'];
const WRAPPERS = [
  'timeout',
  'time',
  'setsid',
  'sudo',
  'su',
  'script',
  'strace',
  'ltrace',
  'docker',
  'podman',
  'xargs',
  'watch',
  'make',
  'cargo',
  'go',
];

/**
 * A launcher starts the program as a child of its own and waits for it. What would be killed, and whose exit code would be judged, is then the launcher.
 * Returns what to write instead, or null when the command starts the program itself. A shell or Python *script* is a program.
 */
export function launcherRemedy(command: string[]): string | null {
  const [program = '', ...rest] = command;
  const name = nameOf(program);
  if (name === 'env') return launcherRemedy(rest.slice(rest.findIndex((word) => !word.startsWith('-') && !word.includes('='))));
  if (PACKAGE_RUNNERS.includes(name)) return `write what \`${name}\` would run, e.g. ['node', '{kernel}/kernel.js']`;
  if (LOADERS.includes(name)) return "write ['node', '{kernel}/kernel.ts']: node strips the types itself";
  if (WRAPPERS.includes(name)) return `write the program that \`${name}\` starts, and its arguments`;
  if (SHELLS.includes(name) && rest.some((word) => /^-[a-z]*c$/.test(word)))
    return `put the commands into a file and write ['${name}', '{kernel}/kernel.sh']`;
  if (name !== 'node') return null;
  if (rest.some((word) => word === '--watch' || word.startsWith('--watch-path') || word === '--run'))
    return 'leave out --watch and --run: with them node starts another node';
  const script = rest.find((word) => !word.startsWith('-')) ?? '';
  const packaged = script.match(/node_modules\/(?:\.bin\/)?([^/]+)/)?.[1];
  return packaged !== undefined && [...PACKAGE_RUNNERS, ...LOADERS].includes(packaged) ? launcherRemedy([packaged]) : null;
}

function nameOf(program: string): string {
  return basename(program).replace(/\.(exe|cmd|[cm]?js)$/, '');
}
