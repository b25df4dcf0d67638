import type { EntryOf } from '../history/history.ts';

const SAID = /^@crash (point|enter|exit|ack|reason)(?: (.*))?$/;

/** What a line of a kernel's stdout says to the harness (DESIGN 4.1), or null when it is the kernel's own business. */
export function said(line: string): Pick<EntryOf<'said'>, 'say' | 'text'> | null {
  const match = SAID.exec(line.trimEnd());
  if (!match) return null;
  return { say: match[1] as EntryOf<'said'>['say'], text: match[2] ?? '' };
}
