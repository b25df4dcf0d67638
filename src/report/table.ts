import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import type { Paint } from './paint.ts';

/** The width that every printed form keeps to, in columns. */
export const WIDTH = 100;

export interface Column {
  name: string;
  align: 'left' | 'right';
}

/** What a table says, before it has a form. */
export interface Grid {
  columns: Column[];
  rows: string[][];
}

const bare = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((name) => [name, '']),
);

export function gridText({ columns, rows }: Grid, paint: Paint): string {
  return table(columns, rows, paint);
}

/** A table with a rule under its head and no other lines. */
export function table(columns: Column[], rows: string[][], paint: Paint): string {
  const sheet = new Table({
    chars: { ...bare, middle: '  ' },
    // cli-table3 colours heads and borders of its own accord, also in a pipe.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: columns.map(({ align }) => align),
  });
  sheet.push(
    columns.map(({ name }) => paint('dim', name)),
    ...rows,
  );
  const [head = '', ...body] = sheet.toString().split('\n');
  const width = Math.max(...[head, ...body].map((line) => stripVTControlCharacters(line).length));
  return [head, paint('dim', '─'.repeat(width)), ...body].map((line) => line.trimEnd()).join('\n');
}
