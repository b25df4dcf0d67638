import { createHash } from 'node:crypto';
import type { Violation } from '../history/record.ts';

/**
 * What a violation has in common with others that have the same cause: the invariant and the site that it names. The same for every subject, run and machine.
 *
 * Where the faults landed is no part of it. A missing check shows wherever the lock is stolen before it, so that each of a hundred operations would be a finding of its own; and
 * shrinking moves faults and takes them away. An invariant to which that place matters, because it is about what a kill left behind, has it in its site.
 */
export function fingerprintOf({ invariant, site, message }: Pick<Violation, 'invariant' | 'site' | 'message'>): string {
  return createHash('sha256')
    .update([invariant, generalise(site ?? message)].join('\n'))
    .digest('hex')
    .slice(0, 12);
}

/** A UUID, a hash or a ULID. */
export const GENERATED_ID = /[0-9a-f]{8}(-?[0-9a-f]{4,})+|(?<![0-9A-Za-z])[0-9A-HJKMNP-TV-Z]{26}(?![0-9A-Za-z])/g;

const IDS_AND_NUMBERS = new RegExp(`${GENERATED_ID.source}|\\d+`, 'g');

/** With numbers and generated ids left out, so that what differs only in them is the same: `event in ledger/3.jsonl:2` → `event in ledger/#.jsonl:#`. */
export function generalise(text: string): string {
  return text.replace(IDS_AND_NUMBERS, '#');
}
