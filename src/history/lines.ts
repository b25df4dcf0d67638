import { createReadStream } from 'node:fs';
import { z } from 'zod';

/** A file that can't be read as what it should be. `line` counts from 1; null: the file as a whole. */
export class UnreadableFileError extends Error {
  readonly file: string;
  readonly line: number | null;

  constructor(file: string, line: number | null, why: string) {
    super(`${file}${line === null ? '' : `:${line}`}: ${why}`);
    this.name = 'UnreadableFileError';
    this.file = file;
    this.line = line;
  }
}

/**
 * The JSON values of a file with one on each line. Each line was written with one call, newline last, so a last line
 * without a newline was torn by a crash: it is dropped and said. Any other bad line is an error.
 */
export async function readLines(file: string): Promise<{ lines: unknown[]; torn: boolean }> {
  const lines: unknown[] = [];
  const torn = await eachLine(file, (value) => lines.push(value));
  return { lines, torn };
}

/** Like readLines, for files too big to be held: gives each value and the number of its line, from 1. Resolves to whether the last line was torn. */
export async function eachLine(file: string, take: (value: unknown, line: number) => void): Promise<boolean> {
  let rest = '';
  let line = 0;
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() as string;
      for (const text of lines) take(parseLine(file, ++line, text), line);
    }
  } catch (cause) {
    const { code, message, syscall } = cause as NodeJS.ErrnoException;
    // What was thrown for a line is already said.
    if (syscall === undefined) throw cause;
    throw new UnreadableFileError(file, null, code === 'ENOENT' ? 'there is no such file' : message);
  }
  return rest !== '';
}

function parseLine(file: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableFileError(file, line, `not JSON: ${text.slice(0, 60)}`);
  }
}

const anySchema = z.looseObject({ schema: z.string() });

/** Throws unless the value says that it is of this schema, version included. */
export function requireSchema(file: string, line: number | null, value: unknown, schema: string): void {
  const parsed = anySchema.safeParse(value);
  if (!parsed.success) throw new UnreadableFileError(file, line, `expected an object with "schema": "${schema}"`);
  const given = parsed.data.schema;
  if (given === schema) return;
  const remedy =
    given.split('@')[0] === schema.split('@')[0]
      ? 'read it with the version of crash-campaign that wrote it, or run the campaign again'
      : 'is this the right file?';
  throw new UnreadableFileError(file, line, `this version reads "${schema}", and this is "${given}": ${remedy}`);
}
