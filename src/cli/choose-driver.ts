import type { Campaign, DriverName } from '../campaign/campaign.ts';
import { UsageError } from './exit-code.ts';

/** The driver asked for, or the first that the campaign has timing for. Throws a UsageError when it has none for that one. */
export function chooseDriver({ name, timing }: Campaign, asked: DriverName | undefined): DriverName {
  const offered = Object.keys(timing) as DriverName[];
  if (asked === undefined) return offered[0] as DriverName;
  if (offered.includes(asked)) return asked;
  throw new UsageError(
    `campaign ${name} has no timing for --driver ${asked}: add \`timing: { ${asked}: { … } }\` to it, or use ${offered.join(', ')}`,
  );
}
