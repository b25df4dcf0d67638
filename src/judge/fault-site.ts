import { isDeviation } from '../history/ends.ts';
import type { LandedFault } from '../history/record.ts';
import { hadEffect } from './landed.ts';

/** What a fault, in its printed form, does: `s2@op#12:pause=45s` does `pause`. */
export function actionOf(fault: string): string {
  return /:([a-z-]+)(?:=[^:]*|=until:.*)?$/.exec(fault)?.[1] ?? '';
}

/** Where the trial's last fault landed: what it did, and at which kind of operation or, where operations are not seen, in which windows. */
export function faultSite(landed: LandedFault[]): string {
  const effective = landed.filter(hadEffect);
  const last = effective.findLast(({ fault }) => !isDeviation(fault)) ?? effective.at(-1);
  if (!last) return 'no fault';
  return `${actionOf(last.fault)} at ${generalise(last.operation ?? last.windows.join('+'))}`;
}

/** With numbers and generated ids left out, so that what differs only in them is the same: `rename ledger/3.jsonl` → `rename ledger/#.jsonl`. */
export function generalise(text: string): string {
  return text.replace(/[0-9a-f]{8}(-?[0-9a-f]{4,})+|(?<![0-9A-Za-z])[0-9A-HJKMNP-TV-Z]{26}(?![0-9A-Za-z])|\d+/g, '#');
}
