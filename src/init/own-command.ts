import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { BEGIN, END } from './marks.ts';

/**
 * The command as a campaign has it: what names a file or folder of the project is found in its copy, since sessions are started elsewhere.
 * `--config=app.json` is such a name too.
 */
export function commandOf(words: string[], project: string): string[] {
  return words.map((word) => {
    const [, option = '', path = word] = /^(-[^=]*=)(.*)$/.exec(word) ?? [];
    const inside = pathInside(path, project);
    return inside === null ? word : `${option}{kernel}${inside === '' ? '' : `/${inside}`}`;
  });
}

/** What never is a part of a program, or is given to it in another way. */
const BESIDE = new Set(['.git', '.github', 'campaigns', 'node_modules', 'reports']);

/**
 * What of a project its program may need, to be tried in this order: the folders in which its files lie, when none lies at the top; then all.
 * Other campaigns are not among it.
 */
export function filesOf(command: string[], project: string): string[][] {
  const named = command.flatMap((word) => /\{kernel\}\/(.+)/.exec(word)?.[1] ?? []);
  const top = readdirSync(project, { withFileTypes: true })
    .filter(({ name }) => !BESIDE.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const folders = new Set(named.map((path) => path.split('/')[0] as string));
  const isInFolders = folders.size > 0 && named.every((path) => path.includes('/') && !BESIDE.has(path.split('/')[0] as string));
  const manifest = top.filter(({ name }) => name === 'package.json');
  const narrow = [...folders, ...manifest.map(({ name }) => name)];
  return [...(isInFolders ? [narrow] : []), top.map(({ name }) => name)];
}

/** Null: it is no path of the project. */
function pathInside(path: string, project: string): string | null {
  if (path === '' || !existsSync(resolve(project, path))) return null;
  const inside = relative(realpathSync(project), realpathSync(resolve(project, path)));
  return inside.startsWith('..') || isAbsolute(inside) ? null : inside;
}

/** The file in which the control is made, and the command that runs it before the program in each session. */
export function controlled(command: string[], name: string): { command: string[]; file: string; text: string; givesUp: string } {
  const folder = join('campaigns', name);
  if (command[0] === 'node') {
    const file = join(folder, 'before.mjs');
    return {
      command: ['node', '--import', `{kernel}/${file}`, ...command.slice(1)],
      file,
      text: `// Is run before the program, in each session. The campaign's control puts something between the marks.
// ${BEGIN} goes-on
// ${END}
`,
      givesUp:
        "const { readdirSync, rmSync } = await import('node:fs'); const state = process.env.CRASH_CAMPAIGN_STATE; const left = readdirSync(state); " +
        "for (const name of left) rmSync(state + '/' + name, { recursive: true }); if (left.length > 0) process.exit(0);",
    };
  }
  const file = join(folder, 'session.sh');
  return {
    command: ['sh', `{kernel}/${file}`, ...command],
    file,
    text: `#!/bin/sh
# Becomes the program, in each session. The campaign's control puts something between the marks.
# ${BEGIN} goes-on
# ${END}
exec "$@"
`,
    givesUp: '[ -z "$(ls -A "$CRASH_CAMPAIGN_STATE")" ] || { find "$CRASH_CAMPAIGN_STATE" -mindepth 1 -delete; exit 0; }',
  };
}
