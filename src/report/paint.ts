import { styleText } from 'node:util';

export type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

/** Colours for what will be written to this stream: none unless it is a terminal, with NO_COLOR and FORCE_COLOR honoured. */
export function paintFor(stream: NodeJS.WritableStream): Paint {
  return (format, text) => styleText(format, text, { stream, validateStream: true });
}

export const plain: Paint = (_format, text) => text;
