import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { makeDirectory } from '../campaign-run/make-directory.ts';
import { github, SUMMARY_BYTES_MAX } from '../report/github.ts';
import { paintFor, plain } from '../report/paint.ts';
import { REPORTERS } from '../report/reporters.ts';
import type { Reporter, Result } from '../report/result.ts';
import { UsageError } from './exit-code.ts';

type Form = keyof typeof REPORTERS | 'github';

const FORMS = [...Object.keys(REPORTERS), 'github'] as Form[];

/** One form of the result, and where it goes: a file, or (null) stdout. */
export interface Destination {
  form: Form;
  file: string | null;
}

export interface PublishOptions {
  reporter?: Destination[];
  json?: boolean;
}

export const REPORTER_OPTION = new Option(
  '--reporter <form[=file]>',
  `${FORMS.join(', ')}: to a file, or on stdout; may be repeated`,
).argParser(destination);
/** Of a command that knows no other forms. */
export const JSON_OPTION_ALONE = new Option('--json', 'print one JSON object on stdout, and everything else on stderr');
export const JSON_OPTION = new Option('--json', 'the same as --reporter json: one JSON object on stdout, and everything else on stderr');

/** Where a result goes. Throws a UsageError when two forms would be mixed on stdout: before anything is run for it. */
export function destinationsOf({ reporter = [], json = false }: PublishOptions): Destination[] {
  const asked: Destination[] = [...reporter, ...(json ? [{ form: 'json', file: null } as const] : [])];
  const onStdout = asked.filter(isOnStdout);
  if (onStdout.length > 1)
    throw new UsageError(
      `stdout takes one form, and these are ${onStdout.map(({ form }) => form).join(', ')}: give others a file, e.g. --reporter ${onStdout[1]?.form}=report.${onStdout[1]?.form}`,
    );
  return asked;
}

/**
 * Gives the result in each of its forms. What a person reads is on stdout, or on stderr when stdout has another form, unless `quiet` leaves it out then.
 * Files are made with their folders; what stood in them is replaced.
 */
export async function publish(result: Result, destinations: Destination[], { quiet = false }: { quiet?: boolean } = {}): Promise<void> {
  const onStdout = destinations.find(isOnStdout);
  const prose = onStdout === undefined || onStdout.form === 'terminal' ? process.stdout : process.stderr;
  if (prose === process.stdout || !quiet) prose.write(REPORTERS.terminal(result, paintFor(prose)));
  for (const { form, file } of destinations) {
    if (form === 'github') tellGithub(result, file, prose);
    else if (file !== null) write(file, await (REPORTERS[form] as Reporter)(result, plain));
    else if (form !== 'terminal') process.stdout.write(await (REPORTERS[form] as Reporter)(result, plain));
  }
}

/** GitHub reads its commands from stderr as well. `file` stands for the one that GITHUB_STEP_SUMMARY names. */
function tellGithub(result: Result, file: string | null, prose: NodeJS.WriteStream): void {
  const { GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = process.env;
  const summaryFile = file ?? GITHUB_STEP_SUMMARY;
  const size = summaryFile ? (statSync(summaryFile, { throwIfNoEntry: false })?.size ?? 0) : 0;
  const { annotations, summary, outputs } = github(result, SUMMARY_BYTES_MAX - size);
  prose.write(annotations);
  if (summaryFile) appendFileSync(summaryFile, summary);
  if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, outputs);
}

/** The terminal's form and GitHub's commands go together. */
function isOnStdout({ form, file }: Destination): boolean {
  return file === null && form !== 'github';
}

function write(file: string, text: string): void {
  try {
    makeDirectory(dirname(file));
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`the report can't be written to ${file}: ${(error as Error).message}`);
  }
}

function destination(text: string, before: Destination[] = []): Destination[] {
  const [form = '', ...rest] = text.split('=');
  if (!FORMS.includes(form as Form)) throw new InvalidArgumentError(`Write one of ${FORMS.join(', ')}, alone or with =FILE.`);
  const file = rest.join('=');
  if (rest.length > 0 && file === '') throw new InvalidArgumentError('Write a file behind the =, or leave it away.');
  return [...before, { form: form as Form, file: rest.length > 0 ? file : null }];
}
