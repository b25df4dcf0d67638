import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireValid } from './report/valid.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const action = readFileSync(join(root, 'action.yml'), 'utf8');

/** The lines of a block under a key, without its indentation. */
function blockOf(key: string): string[] {
  const [, indent = '', rest = ''] = new RegExp(`^( *)${key}:(?: \\|)?\\n([\\s\\S]*)`, 'm').exec(action) ?? [];
  const lines = rest.split('\n');
  const end = lines.findIndex((line) => line !== '' && !line.startsWith(`${indent}  `));
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.slice(indent.length + 2));
}

const script = blockOf('run').join('\n');
/** Each variable of the script, and the input that it is. */
const variables = blockOf('env').map((line) => /^(\w+): \$\{\{ inputs\.([\w-]+) \}\}$/.exec(line)?.slice(1) as [string, string]);
const inputs = blockOf('inputs')
  .filter((line) => /^[\w-]+:$/.test(line))
  .map((line) => line.slice(0, -1));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-action-'));
});
afterAll(() => rm(directory, { recursive: true }));

let steps = 0;

/** Runs the step's script as a runner does: its shell, the inputs as environment, and files for what it wants to tell. */
async function step(given: Record<string, string>) {
  const temp = join(directory, `step-${++steps}`);
  await mkdir(temp);
  const files = { GITHUB_STEP_SUMMARY: join(temp, 'summary'), GITHUB_OUTPUT: join(temp, 'output') };
  const env = {
    ...Object.fromEntries(variables.map(([name, input]) => [name, given[input] ?? (input === 'artifact-name' ? 'artefact' : '')])),
    ...files,
    RUNNER_TEMP: temp,
    GITHUB_ACTIONS: 'true',
    CI: 'true',
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  };
  const result = await execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: root,
    env,
    reject: false,
    stdin: 'ignore',
  });
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { ...result, temp, summary: read(files.GITHUB_STEP_SUMMARY), output: read(files.GITHUB_OUTPUT) };
}

describe('action.yml', () => {
  test('gives every input to the script as environment, and none as text', () => {
    expect(variables.map(([, input]) => input)).toEqual(inputs.filter((input) => input !== 'working-directory'));
    expect(script).not.toContain('${{');
  });

  test('uploads always', () => {
    expect(action).toMatch(/if: always\(\)\n +uses: actions\/upload-artifact@v\d/);
  });

  test('a campaign that holds: code 0, a summary, outputs, and reports in every form', async () => {
    const { exitCode, summary, output, temp, stdout } = await step({ campaign: 'test/fixtures/cli/toy', fresh: 'true', workers: '1' });
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^verdict=pass\nexit-code=0\nrun-directory=.*\nexit-code=0\n$/),
    });
    expect(summary).toMatch(/^\n\n### ✅ PASS {2}toy under sim/);
    expect(stdout).toMatch(/^::notice title=crash-campaign%3A pass::/m);
    const artefact = join(temp, 'artefact');
    requireValid('gate-1', JSON.parse(readFileSync(join(artefact, 'gate.json'), 'utf8')));
    for (const file of ['gate.xml', 'gate.md', 'gate.html', 'run/run.json', 'run/trials.ndjson'])
      expect(existsSync(join(artefact, file))).toBe(true);
  });

  test('one that breaks: its code is kept, and the annotation says what broke', async () => {
    const { exitCode, summary, output, stdout } = await step({ campaign: 'test/fixtures/cli/toy-forgetful', fresh: 'true', workers: '1' });
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringMatching(/^verdict=fail\nexit-code=1\n/) });
    expect(stdout).toMatch(/^::error title=crash-campaign%3A fail::toy-forgetful broke no-duplicate-events in 2 trials/m);
    expect(summary).toMatch(/### ❌ FAIL[\s\S]*npx crash-campaign replay/);
  });

  test('what an input is called is not executed, and no verdict is an error too', async () => {
    const pwned = join(directory, 'pwned');
    const { exitCode, output, stdout } = await step({
      campaign: `"; touch ${pwned}; $(touch ${pwned}) \`touch ${pwned}\``,
      against: '$(touch x)',
    });
    expect({ exitCode, output }).toEqual({ exitCode: 64, output: 'exit-code=64\n' });
    expect(stdout).toMatch(/^::error title=crash-campaign::there is no verdict \(exit code 64\)/m);
    expect(existsSync(pwned)).toBe(false);
  });
});
