/** Plain text inside Markdown: no character of it means anything, and no `@` calls anybody. */
export function plainText(text: string): string {
  return text
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@<!-- -->')
    .replace(/\s*\n\s*/g, ' ');
}

/** A block of code, with a fence that is longer than any in it. */
export function codeBlock(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The first column is text, the others are figures. */
export function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map((row) => line(row.map(plainText)))].join('\n');
}

/** What is there for who wants to know, closed until then. */
export function details(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

/**
 * Sections one after the other, as many as fit into so many bytes; what does not fit is left out from the end, and that is said.
 */
export function fit(sections: string[], bytes: number, where: string): string {
  const left = (n: number) => `${n} more ${n === 1 ? 'section was' : 'sections were'} left out, for want of room: see ${where}\n`;
  const size = (text: string) => Buffer.byteLength(text) + 2;
  const whole = sections.reduce((sum, section) => sum + size(section), 0);
  if (whole <= bytes) return `${sections.join('\n\n')}\n`;
  const kept: string[] = [];
  let room = bytes - size(left(sections.length));
  for (const section of sections) {
    if (size(section) > room) break;
    room -= size(section);
    kept.push(section);
  }
  return [...kept, left(sections.length - kept.length)].join('\n\n');
}
