import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What is tracked, or would be if it were added. A file that was deleted and not yet committed is left out. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '')
  .flatMap((path) => {
    try {
      return [{ path, text: readFileSync(join(root, path), 'utf8') }];
    } catch {
      return [];
    }
  });
const sources = files.filter(({ path }) => /^src\/.*\.(ts|cjs)$/.test(path));

/** A folder imports only from the folders before it. */
const folders = [
  'random',
  'stats',
  'plan',
  'wire',
  'locks',
  'history',
  'invariants',
  'campaign',
  'driver',
  'services',
  'judge',
  'campaign-run',
  'search',
  'compare',
  'gate',
  'report',
  'init',
  'cli',
  'vitest',
  'index.ts',
];

/** The history is what plans, locks and campaigns speak of: these may know its types before it is made. */
const speakOfHistory = ['plan', 'locks'];

/** Longest file, in lines. Who needs more says why here. */
const longest = 250;
const longer: Record<string, { lines: number; why: string }> = {
  'src/driver/probe/timers.cjs': { lines: 400, why: "one queue behind all of node's timer functions, in node's own order" },
  'src/driver/probe/file-operations.cjs': { lines: 320, why: 'one table: every file operation of node, and what it is to the conductor' },
};

/** Errors are classes because `instanceof` tells them apart. Any other class says why here. */
const classes: Record<string, string> = {
  'src/driver/probe/timers.cjs Timeout': 'programs are given the class that node gives them',
  'src/driver/probe/file-handle.cjs FileHandle': 'the same',
};

/** Chance that no seed should rule says why here. */
const unseeded: Record<string, string> = {
  'src/driver/live/reaper.ts': 'tells the processes of this harness from those of every other',
};

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

/** Static, dynamic and required imports and re-exports of relative paths and packages. */
function importsOf({ path, text }: { path: string; text: string }): Import[] {
  // Types may be imported in comments.
  const found = text
    .replace(/\/\*\*?\s[\s\S]*?\*\//g, '')
    .matchAll(/^\s*(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'|\b(?:import|require)\(\s*'([^']+)'/gm);
  return [...found].map(([, type, from, bare, called]) => {
    const specifier = from ?? bare ?? called ?? '';
    const to = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
    return { from: path, to, typeOnly: type !== undefined };
  });
}

const folderOf = (path: string) => path.split('/')[1] ?? '';

function isAllowed({ from, to, typeOnly }: Import): boolean {
  // The public API offers the scenarios, which are made of nothing that imports it.
  if (to.startsWith('scenarios/')) return from === 'src/index.ts';
  if (!to.startsWith('src/')) return !/^(campaigns|test|bin)\//.test(to);
  const [own, other] = [folderOf(from), folderOf(to)];
  return folders.indexOf(other) <= folders.indexOf(own) || (typeOnly && other === 'history' && speakOfHistory.includes(own));
}

const arrow = ({ from, to }: Import) => `${from} -> ${to}`;

describe('folders of src', () => {
  test('are all known', () => {
    expect([...new Set(sources.map(({ path }) => folderOf(path)))].filter((folder) => !folders.includes(folder))).toEqual([]);
  });

  test('import only from folders before them', () => {
    const imports = sources.flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((found) => !isAllowed(found)).map(arrow)).toEqual([]);
  });

  test('an import against the order is seen in each of its forms', () => {
    const text = [
      `import { a } from '../cli/a.ts';`,
      `import type { B } from '../cli/b.ts';`,
      `export {\n  c,\n} from '../cli/c.ts';`,
      `import '../cli/d.ts';`,
      `const e = await import('../cli/e.ts');`,
      `const f = require('../cli/f.ts');`,
      `import scenario from '../../scenarios/g.ts';`,
    ].join('\n');
    const path = 'src/judge/judge.ts';
    expect(
      importsOf({ path, text })
        .filter((found) => !isAllowed(found))
        .map(({ to }) => basename(to)[0]),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const typeOfHistory = `import type { History } from '../history/history.ts';`;
    expect(importsOf({ path: 'src/plan/plan.ts', text: typeOfHistory }).every(isAllowed)).toBe(true);
    expect(importsOf({ path: 'src/plan/plan.ts', text: typeOfHistory.replace('type ', '') }).every(isAllowed)).toBe(false);
    expect(importsOf({ path: 'src/stats/mean.ts', text: typeOfHistory }).every(isAllowed)).toBe(false);
  });

  test('the probe is on its own: it requires only node and itself', () => {
    const foreign = sources
      .filter(({ path }) => path.startsWith('src/driver/probe/'))
      .flatMap(importsOf)
      .filter(({ to, typeOnly }) => !typeOnly && !to.startsWith('node:') && !/^src\/driver\/probe\/.*\.cjs$/.test(to));
    expect(foreign.map(arrow)).toEqual([]);
  });
});

describe('files of src', () => {
  test('none only passes on what others export, but for index.ts', () => {
    const barrels = sources.filter(({ path, text }) => {
      const own = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/export\s+(type\s+)?(\*|\{)[^;]*?from\s+'[^']+';/g, '');
      return path !== 'src/index.ts' && own.trim() === '';
    });
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });

  test('each is named after what it holds', () => {
    const vague = /^(utils?|helpers?|common|misc|shared|lib)\b/;
    expect(sources.filter(({ path }) => path.split('/').some((part) => vague.test(part))).map(({ path }) => path)).toEqual([]);
  });

  test('none is too long to be one thing', () => {
    const tooLong = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > (longer[path]?.lines ?? longest));
    expect(tooLong).toEqual([]);
    expect(Object.keys(longer).filter((path) => !sources.some((source) => source.path === path))).toEqual([]);
  });

  test('no class where a closure or a record will do', () => {
    const found = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\bclass\s+(\w+)(?:\s+extends\s+(\w+))?/g)]
        .filter(([, , base]) => !base?.endsWith('Error'))
        .map(([, name]) => `${path} ${name}`),
    );
    expect(found.filter((name) => !(name in classes))).toEqual([]);
    expect(Object.keys(classes).filter((name) => !found.includes(name))).toEqual([]);
  });

  test('chance comes from src/random alone', () => {
    const random = /\bMath\.random\(|\brandom(UUID|Bytes|Int)\(/;
    // The probe speaks of these because it replaces them in kernels.
    const free = sources.filter(({ path }) => !path.startsWith('src/random/') && !path.startsWith('src/driver/probe/'));
    expect(free.filter(({ text }) => random.test(text)).map(({ path }) => path)).toEqual(Object.keys(unseeded));
  });
});

describe('the repository', () => {
  test('names no path of a machine and no host of a registry', () => {
    // Written so that they do not match themselves.
    const machine = /(?<![\w.$}/])\/(work|root|home)\/\w/;
    const registry = /\bregistry[.][\w-]+[.]|"resolved": "ht{2}p/;
    expect(files.filter(({ text }) => machine.test(text) || registry.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
