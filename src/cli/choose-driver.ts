import type { Campaign, DriverName } from '../campaign/campaign.ts';
import { defaultDriverOf } from '../campaign/expand.ts';
import { UsageError } from './exit-code.ts';

/** The driver asked for, or the first that the campaign has timing for. Throws a UsageError when it has none for that one. */
export function chooseDriver({ name, timing }: Campaign, asked: DriverName | undefined): DriverName {
  if (asked === undefined) return defaultDriverOf({ timing });
  const offered = Object.keys(timing);
  if (offered.includes(asked)) return asked;
  throw new UsageError(
    `campaign ${name} has no timing for --driver ${asked}: add \`timing: { ${asked}: { … } }\` to it, or use ${offered.join(', ')}`,
  );
}
