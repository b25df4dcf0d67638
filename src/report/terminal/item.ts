import { WIDTH } from '../table.ts';
import { wrap } from '../wrap.ts';

/** A text behind a mark, its further lines indented as far as its first. */
export function item(mark: string, text: string): string {
  const indent = 3 + mark.length;
  return `  ${mark} ${wrap(text, WIDTH - indent).join(`\n${' '.repeat(indent)}`)}`;
}
