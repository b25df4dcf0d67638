import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../src/cli/exit-code.ts';
import { said } from '../src/driver/said.ts';
import { allInvariants } from '../src/invariants/all.ts';
import { PlanError, parsePlan } from '../src/plan/parse.ts';
import { WINDOWS } from '../src/plan/plan.ts';
import { printPlan } from '../src/plan/print.ts';

/** What the documentation says is done: its commands are run, its campaigns are checked and run, its names are compared with those of the code. */

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));
const page = (path: string) => pages.find((other) => other.path === path)?.text ?? '';

/** A fenced block: its language, the file that it is the content of, if it is one, and its text. */
const blocks = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, language = '', file, content = '']) => ({
    page: path,
    language,
    file,
    content,
  })),
);

/** A line of a `sh` block; `# exit N` behind it says how it ends. */
const commands = blocks
  .filter(({ language, file }) => language === 'sh' && file === undefined)
  .flatMap(({ page, content }) =>
    content
      .trim()
      .split('\n')
      .map((line) => {
        const [, command = '', code = '0'] = /^(.*?)(?:\s+# exit (\d+))?$/.exec(line) ?? [];
        return { page, command, exitCode: Number(code) };
      }),
  );

/** What is not run here, and where it is instead. */
const elsewhere: Record<string, string> = {
  'npm ci && npm start': 'needs a fresh clone and takes minutes; what it runs is compared with package.json',
  'npm ci && npm test': 'is what runs this test',
  'npm test': 'is what runs this test',
  'npm run check': 'is run by .ci/run before the tests',
};

/** First cells of the rows of the table that follows these words, as they are written between backquotes. */
function firstColumn(path: string, header: string): string[] {
  const table = page(path).split(`\n${header}`)[1]?.split('\n\n')[0] ?? '';
  return table
    .split('\n')
    .slice(2)
    .map((row) => cells(row)[0] ?? '');
}

const cells = (row: string) =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('`', ''));

let copy: string;
const outputs = new Map<string, string>();

beforeAll(() => {
  // The commands change the kernel, write campaigns and leave runs behind.
  copy = mkdtempSync(join(tmpdir(), 'crash-campaign-docs-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' });
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  for (const path of tracked.split('\0')) if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(copy, path));
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=docs', '-c', 'user.email=docs@localhost', 'commit', '--quiet', '--message=docs');
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, content } of blocks) {
    if (file === undefined) continue;
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    writeFileSync(join(copy, file), content);
  }
});

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

/** As a reader's shell would do it, in the clone. `npx` finds the same program, as one of the tests shows, but takes a second for it. */
function shell(command: string) {
  const program = command.replace(/^npx crash-campaign(?= )/, `"${process.execPath}" bin/crash-campaign.js`);
  const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`, NO_COLOR: '1' };
  return execa('bash', ['-c', program], { cwd: copy, reject: false, stdin: 'ignore', all: true, env });
}

describe('commands', () => {
  test('there are some on every page but those that have none', () => {
    expect([...new Set(commands.map(({ page }) => page))].sort()).toEqual(pages.map(({ path }) => path).sort());
  });

  test.each(commands.filter(({ command }) => !(command in elsewhere)))('$page: $command', async ({ command, exitCode }) => {
    const result = await shell(command);
    outputs.set(command, result.stdout);
    expect(result.exitCode, result.all).toBe(exitCode);
  });

  test('those that are not run here are the scripts of package.json, and are named in vain nowhere', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const told = commands.map(({ command }) => command);
    expect(Object.keys(elsewhere).filter((command) => !told.includes(command))).toEqual([]);
    expect(scripts.start).toBe('node bin/crash-campaign.js run ingest --seeds 1000-1029');
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'check', 'format']));
  });

  test('npx finds the program in a clone', async () => {
    const { stdout } = await execa('npx', ['crash-campaign', '--version'], { cwd: root });
    expect(stdout).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  });

  test('what the README shows of their output is what they print, but for the numbers', () => {
    const lines = (text: string) => text.trim().split('\n').map(withoutNumbers);
    const printed = new Set([...outputs.values()].flatMap(lines));
    const [start = '', ...others] = blocks
      .filter(({ page, language }) => page === 'README.md' && language === 'text')
      .map(({ content }) => content);
    // Of `npm start`, which is not run here, the heads of the tables.
    const heads = start
      .split('\n')
      .filter((_, index, all) => all[index + 1]?.startsWith('──'))
      .map(withoutNumbers);
    expect(heads.length).toBe(3);
    expect([...heads, ...others.flatMap(lines)].filter((line) => !printed.has(line))).toEqual([]);
  });
});

describe('campaigns and modules', () => {
  test('are what their types say', async () => {
    const files = blocks.filter(({ language }) => language === 'ts').map(({ file }) => file);
    expect(files.length).toBeGreaterThan(0);
    expect(files).not.toContain(undefined);
    writeFileSync(join(copy, 'tsconfig.docs.json'), JSON.stringify({ extends: './tsconfig.json', include: files }));
    const { all, exitCode } = await shell('npx tsc --project tsconfig.docs.json');
    expect(all).toBe('');
    expect(exitCode).toBe(0);
  });

  test('are run by a command of their page', () => {
    const campaigns = blocks.flatMap(({ file, page }) => (file?.endsWith('/campaign.ts') ? { page, name: basename(dirname(file)) } : []));
    expect(campaigns.length).toBeGreaterThan(0);
    const isRun = ({ page, name }: { page: string; name: string }) =>
      commands.some((told) => told.page === page && told.command.startsWith(`npx crash-campaign run ${name} `));
    expect(campaigns.filter((campaign) => !isRun(campaign))).toEqual([]);
  });
});

describe('names', () => {
  const writing = 'docs/writing-a-campaign.md';

  test('the scenarios are those that there are', () => {
    const there = readdirSync(join(root, 'scenarios')).map((name) => basename(name, '.ts'));
    expect(firstColumn(writing, '| scenario |').sort()).toEqual(there.sort());
  });

  test('the invariants are those that there are, in their order', () => {
    expect(firstColumn(writing, '| invariant |')).toEqual(allInvariants.map(({ name }) => name));
  });

  test('the windows are those that there are', () => {
    expect(firstColumn(writing, '| window |')).toEqual([...WINDOWS]);
  });

  test('the exit codes are those that there are', () => {
    expect(firstColumn('README.md', '| exit code |').map(Number)).toEqual(Object.values(EXIT));
  });

  test('the lines that a kernel may say are understood, and there are no others', () => {
    const says = firstColumn(writing, '| line |').map((line) => said(line.replace(/[<>[\]]/g, ''))?.say);
    expect(says).toEqual(['point', 'enter', 'exit', 'ack', 'reason']);
  });

  test('the commands are those that there are', async () => {
    const { stdout } = await shell('npx crash-campaign --help');
    const there = [...(stdout.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name);
    const told = firstColumn('README.md', '| command |').map((command) => command.split(' ')[0]);
    expect(told.sort()).toEqual(there.filter((name) => name !== 'help').sort());
  });

  test('the fields of a campaign are those that there are', () => {
    const declared = readFileSync(join(root, 'src/campaign/campaign.ts'), 'utf8');
    const fieldsOf = (type: string) =>
      [...(declared.split(`interface ${type} {`)[1]?.split('\n}')[0] ?? '').matchAll(/^ {2}(\w+)[?(:]/gm)].map(([, name]) => name);
    const told = firstColumn(writing, '| field | |').map((field) => field.split(/[.[]/)[0]);
    expect([...new Set(told)].sort()).toEqual(fieldsOf('Campaign').sort());
    const ofVariant = page(writing).split('## Variants')[1]?.split('| field | |')[1]?.split('\n\n')[0] ?? '';
    expect(
      ofVariant
        .split('\n')
        .slice(2)
        .map((row) => cells(row)[0])
        .sort(),
    ).toEqual(fieldsOf('Variant').sort());
  });

  test('the folders of src are those that the order of imports knows, in that order', () => {
    const order = readFileSync(join(root, 'test/architecture.test.ts'), 'utf8').split('const folders = [')[1]?.split(']')[0] ?? '';
    expect(firstColumn('docs/house.md', '| folder |')).toEqual([...order.matchAll(/'([^']+)'/g)].map(([, name]) => name));
  });
});

describe('fault plans', () => {
  const writing = 'docs/writing-a-campaign.md';
  const rowsOf = (header: string) => (page(writing).split(`\n${header}`)[1]?.split('\n\n')[0] ?? '').split('\n').slice(2).map(cells);
  const places = rowsOf('| place |');
  const actions = rowsOf('| action |');

  test.each([...places, ...actions].map(([form = '', example = '']) => ({ form, example })))('$form: $example', ({ example }) => {
    expect(printPlan(parsePlan(example))).toBe(example);
  });

  test('every form has a row', () => {
    const allowed = (text: string) => {
      try {
        parsePlan(text);
      } catch (error) {
        if (error instanceof PlanError) return error.allowed;
      }
      return [];
    };
    const forms = (rows: string[][]) => rows.map(([form]) => form ?? '').sort();
    expect(forms(places)).toEqual(
      allowed('s1@?:kill')
        .map((form) => form.replace(WINDOWS.join('|'), 'WINDOW'))
        .sort(),
    );
    expect(forms(actions)).toEqual(allowed('s1@end:?').sort());
  });

  test('an action that only one driver can do is told so', () => {
    const deliver = readFileSync(join(root, 'src/driver/deliver.ts'), 'utf8');
    const needSim = ['fail', 'tear', 'jump', 'power-cut', 'reboot', 'reuse-pid', 'yield'];
    expect(deliver).toContain('only the sim driver can do');
    expect(
      actions
        .filter((row) => row[3] === 'sim')
        .map(([form = '']) => form.split(/[= ]/)[0])
        .sort(),
    ).toEqual(needSim.sort());
  });

  test('a cast is written so', () => {
    const casts = [...page(writing).matchAll(/`(cast=[^`]+)`/g)]
      .map(([, cast = '']) => cast)
      .filter((cast) => cast !== 'cast=' && !cast.includes(' '));
    expect(casts.length).toBe(3);
    for (const cast of casts) expect(printPlan(parsePlan(`${cast} no faults`))).toBe(`${cast}  no faults`);
  });
});

describe('links and paths', () => {
  const prose = ({ text }: { text: string }) => text.replace(/^```[\s\S]*?^```$/gm, '');

  test('every link leads somewhere', () => {
    const dead = pages.flatMap(({ path, text }) =>
      [...prose({ text }).matchAll(/\]\(([^)]+)\)/g)].flatMap(([, link = '']) => {
        if (link.startsWith('https://')) return [];
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : join(dirname(path), file);
        if (!existsSync(join(root, target))) return [`${path}: ${link}`];
        const headings = [...page(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
          heading
            .toLowerCase()
            .replace(/[^\w -]/g, '')
            .replaceAll(' ', '-'),
        );
        return anchor === undefined || headings.includes(anchor) ? [] : [`${path}: ${link}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  test('every page is reached from the README', () => {
    expect(pages.map(({ path }) => path).filter((path) => path !== 'README.md' && !page('README.md').includes(`](${path})`))).toEqual([]);
  });
});

/** In one line's words: columns move when numbers grow. */
function withoutNumbers(line: string): string {
  return line
    .trim()
    .replace(/\d+(\.\d+)?/g, '0')
    .replace(/\s+/g, ' ');
}
