import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ON_THE_WAY } from '../src/campaign/every-line.ts';
import { EXIT } from '../src/cli/exit-code.ts';
import { deliver } from '../src/driver/deliver.ts';
import { said } from '../src/driver/said.ts';
import type { Session, Stage } from '../src/driver/stage.ts';
import { allInvariants } from '../src/invariants/all.ts';
import { PlanError, parsePlan } from '../src/plan/parse.ts';
import { type Action, WINDOWS } from '../src/plan/plan.ts';
import { printPlan } from '../src/plan/print.ts';

/*
 * What the documentation says is done: its commands are run, its campaigns are checked and run, its names are compared with the code's.
 * In a fenced `sh` block each line is a command, and `# exit N` behind it says how it ends; a block with a path behind its language is that file.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const README = 'README.md';
const WRITING = 'docs/writing-a-campaign.md';
const pages = new Map([README, ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].map((path) => [path, read(path)]));

const blocks = [...pages].flatMap(([page, text]) =>
  [...text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, language = '', file, content = '']) => ({
    page,
    language,
    file,
    content,
  })),
);

const commands = blocks
  .filter(({ language, file }) => language === 'sh' && file === undefined)
  .flatMap(({ page, content }) =>
    linesOf(content).map((line) => {
      const [, command = '', code = '0'] = /^(.*?)(?:\s+# exit (\d+))?$/.exec(line) ?? [];
      return { page, command, exitCode: Number(code) };
    }),
  );

/** What is not run here, and why. */
const elsewhere: Record<string, string> = {
  'npm ci && npm start': 'needs a fresh clone and takes minutes',
  'npm ci && npm test': 'runs this test',
  'npm test': 'runs this test',
  'npm run check': 'is run by .ci/run before the tests',
};

/** The rows of the table with that head, as cells without backquotes. */
function table(page: string, head: string): string[][] {
  const [, behind = ''] = (pages.get(page) ?? '').split(`\n| ${head} |`);
  const rows = behind.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('`', '')),
  );
}

const firstColumn = (page: string, head: string) => table(page, head).map(([first = '']) => first);

let clone: string;
const printed = new Set<string>();

beforeAll(() => {
  // The commands change the kernel, and campaigns and runs come to lie beside it.
  clone = mkdtempSync(join(tmpdir(), 'crash-campaign-docs-'));
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  for (const path of git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0'))
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(clone, path));
  git(clone, 'init', '--quiet');
  git(clone, 'add', '.');
  git(clone, '-c', 'user.name=docs', '-c', 'user.email=docs@localhost', 'commit', '--quiet', '--message=docs');
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  for (const { file, content } of blocks) {
    if (file === undefined) continue;
    mkdirSync(join(clone, dirname(file)), { recursive: true });
    writeFileSync(join(clone, file), content);
  }
});

afterAll(() => {
  rmSync(clone, { recursive: true, force: true });
});

/** As a reader's shell would do it. `npx` finds the same program, as one of the tests shows, but takes a second for it. */
function shell(command: string) {
  const program = command.replace(/^npx crash-campaign(?= )/, `"${process.execPath}" bin/crash-campaign.js`);
  const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`, NO_COLOR: '1' };
  return execa('bash', ['-c', program], { cwd: clone, reject: false, stdin: 'ignore', all: true, env });
}

describe('commands', () => {
  test('every page has some', () => {
    expect(new Set(commands.map(({ page }) => page))).toEqual(new Set(pages.keys()));
  });

  test.each(commands.filter(({ command }) => !(command in elsewhere)))('$page: $command', async ({ command, exitCode }) => {
    const result = await shell(command);
    for (const line of linesOf(result.stdout)) printed.add(withoutNumbers(line));
    expect(result.exitCode, result.all).toBe(exitCode);
  });

  test('those that are not run here are scripts of package.json', () => {
    const told = new Set(commands.map(({ command }) => command));
    expect(Object.keys(elsewhere).filter((command) => !told.has(command))).toEqual([]);
    const { scripts } = JSON.parse(read('package.json'));
    expect(scripts.start).toBe('node bin/crash-campaign.js run ingest --seeds 1000-1029');
    expect(scripts).toMatchObject({ test: expect.any(String), check: expect.any(String), format: expect.any(String) });
  });

  test('npx finds the program in a clone', async () => {
    const { stdout } = await execa('npx', ['crash-campaign', '--version'], { cwd: root });
    expect(stdout).toBe(JSON.parse(read('package.json')).version);
  });

  test('what the README shows of their output is what they print, but for the numbers', () => {
    const shown = blocks.filter(({ page, language }) => page === README && language === 'text').map(({ content }) => linesOf(content));
    const [start = [], ...others] = shown;
    // Of `npm start`, which is not run here, the heads of its tables.
    const heads = start.filter((_, index) => start[index + 1]?.startsWith('──'));
    expect(heads).toHaveLength(3);
    expect([...heads, ...others.flat()].map(withoutNumbers).filter((line) => !printed.has(line))).toEqual([]);
  });
});

describe('campaigns and modules', () => {
  test('are what their types say', async () => {
    const files = blocks.filter(({ language }) => language === 'ts').map(({ file }) => file);
    expect(files).not.toContain(undefined);
    expect(files).toContain('campaigns/lines/campaign.ts');
    writeFileSync(join(clone, 'tsconfig.docs.json'), JSON.stringify({ extends: './tsconfig.json', include: files }));
    expect(await shell('npx tsc --project tsconfig.docs.json')).toMatchObject({ all: '', exitCode: 0 });
  });

  test('are run by a command of their page', () => {
    const campaigns = blocks.filter(({ file }) => file?.endsWith('/campaign.ts'));
    const unrun = campaigns.filter(({ page, file = '' }) => {
      const run = ['run', 'compare'].map((command) => `npx crash-campaign ${command} ${basename(dirname(file))} `);
      return !commands.some((told) => told.page === page && run.some((begin) => told.command.startsWith(begin)));
    });
    expect(unrun.map(({ file }) => file)).toEqual([]);
  });
});

describe('names', () => {
  const declared = (type: string) => {
    const [, body = ''] = read('src/campaign/campaign.ts').split(`interface ${type} {`);
    return [...(body.split('\n}')[0] ?? '').matchAll(/^ {2}(\w+)[?(:]/gm)].map(([, name]) => name);
  };

  test('scenarios', () => {
    const there = readdirSync(join(root, 'scenarios')).map((name) => basename(name, '.ts'));
    expect(new Set(firstColumn(WRITING, 'scenario'))).toEqual(new Set(there));
  });

  test('invariants, in their order', () => {
    expect(firstColumn(WRITING, 'invariant')).toEqual(allInvariants.map(({ name }) => name));
  });

  test('what everyLine leaves out', () => {
    const [, globs = ''] = /takes the place of (.*)\.$/m.exec(read(WRITING)) ?? [];
    expect(globs.replaceAll('`', '').split(', ')).toEqual(ON_THE_WAY);
  });

  test('windows', () => {
    expect(firstColumn(WRITING, 'window')).toEqual([...WINDOWS]);
  });

  test('exit codes', () => {
    expect(firstColumn(README, 'exit code').map(Number)).toEqual(Object.values(EXIT));
  });

  test('lines that a kernel may say', () => {
    const says = firstColumn(WRITING, 'line').map((line) => said(line.replace(/[<>[\]]/g, ''))?.say);
    expect(says).toEqual(['point', 'enter', 'exit', 'ack', 'reason']);
  });

  test('commands', async () => {
    const { stdout } = await shell('npx crash-campaign --help');
    const there = [...(stdout.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name);
    const told = firstColumn(README, 'command').map((command) => command.split(' ')[0]);
    expect(new Set([...told, 'help'])).toEqual(new Set(there));
  });

  test('fields of a campaign and of a variant', () => {
    const told = firstColumn(WRITING, 'field | of a campaign').map((field) => field.split(/[.[]/)[0]);
    expect(new Set(told)).toEqual(new Set(declared('Campaign')));
    expect(firstColumn(WRITING, 'field | of a variant')).toEqual(expect.arrayContaining(declared('Variant')));
  });

  test('folders of src, in the order of imports', () => {
    const [, order = ''] = read('test/architecture.test.ts').split('const folders = [');
    const folders = [...(order.split(']')[0] ?? '').matchAll(/'([^']+)'/g)].map(([, name]) => name);
    expect(firstColumn('docs/house.md', 'folder')).toEqual(folders);
  });
});

describe('fault plans', () => {
  const rows = (head: string) => table(WRITING, head).map(([form = '', example = '', , driver = '']) => ({ form, example, driver }));
  const places = rows('place');
  const actions = rows('action');

  test.each([...places, ...actions])('$form: $example', ({ example }) => {
    expect(printPlan(parsePlan(example))).toBe(example);
  });

  test('every form has a row', () => {
    const allowed = (text: string) => {
      try {
        parsePlan(text);
      } catch (error) {
        if (error instanceof PlanError) return error.allowed.map((form) => form.replace(WINDOWS.join('|'), 'WINDOW'));
      }
      return [];
    };
    expect(new Set(places.map(({ form }) => form))).toEqual(new Set(allowed('s1@?:kill')));
    expect(new Set(actions.map(({ form }) => form))).toEqual(new Set(allowed('s1@end:?')));
  });

  test.each(actions)('which driver can do $form', async ({ example, driver }) => {
    // On a stage that offers nothing, what live could do fails in another way.
    const action = parsePlan(example).faults.at(-1)?.action as Action;
    const stage = { trial: { lock: {} }, world: {} } as Stage;
    const delivery = await deliver(stage, action, { name: 's1', alive: true } as Session).catch(() => null);
    const needsSim = delivery?.delivered === false && delivery.why.startsWith('only the sim driver can do');
    const needsService = delivery?.delivered === false && delivery.why.includes('in no service');
    expect(driver).toBe(needsSim ? 'sim' : needsService ? 'live' : 'both');
  });

  test('casts', () => {
    const casts = [...(pages.get(WRITING) ?? '').matchAll(/`(cast=[^` ]+)`/g)].map(([, cast = '']) => cast);
    expect(casts).toHaveLength(3);
    for (const cast of casts) expect(printPlan(parsePlan(`${cast} no faults`))).toBe(`${cast}  no faults`);
  });
});

describe('links', () => {
  const links = [...pages].flatMap(([page, text]) =>
    [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => ({ page, link })),
  );

  test.each(links.filter(({ link }) => !link.startsWith('https://')))('$page: $link', ({ page, link }) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? page : join(dirname(page), file);
    expect(existsSync(join(root, target))).toBe(true);
    const headings = [...(pages.get(target) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
    if (anchor !== undefined) expect(headings.map((heading) => heading.replaceAll(' ', '-'))).toContain(anchor);
  });

  test('the README leads to every page', () => {
    const linked = new Set(links.filter(({ page }) => page === README).map(({ link }) => link));
    expect([...pages.keys()].filter((page) => page !== README && !linked.has(page))).toEqual([]);
  });
});

function linesOf(text: string): string[] {
  return text.trim().split('\n');
}

/** The words of a line: columns move when numbers grow. */
function withoutNumbers(line: string): string {
  return line
    .trim()
    .replace(/\d+(\.\d+)?/g, '0')
    .replace(/\s+/g, ' ');
}
