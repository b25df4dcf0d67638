import { z } from 'zod';
import { nearest, oneOf } from './nearest.ts';

/* What the schema of a campaign is made of. In it the message of every node is the remedy. */

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const PLACEHOLDERS = ['{kernel}', '{state}', '{ttl_ms}', '{service}', '{namespace}'];

export const text = (remedy: string) => z.string(remedy).min(1, remedy);
export const kebab = (remedy: string) => z.string(remedy).regex(KEBAB, remedy);
export const someFunction = (remedy: string) => z.custom((value) => typeof value === 'function', remedy);

/** Refuses fields that it does not know, so that a misspelt one is not silently left out. */
export function record<T extends z.ZodRawShape>(shape: T, remedy: string) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? oneOf(issue.keys[0] ?? '', Object.keys(shape)) : remedy),
  });
}

export const template = text('Write text.').superRefine((value, context) => {
  for (const [word] of value.matchAll(/(?<!\$)\{\w+\}/g)) {
    // Other braces are the command's own; one that is nearly a placeholder is a slip.
    const meant = PLACEHOLDERS.includes(word) ? null : nearest(word, PLACEHOLDERS);
    if (meant) context.addIssue({ code: 'custom', input: value, message: `Write ${meant}. Placeholders are ${PLACEHOLDERS.join(', ')}.` });
  }
});
