import type { RunSummary } from '../../judge/run-summary.ts';
import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { type Column, table } from '../table.ts';

const columns: Column[] = [
  { name: 'control', align: 'left' },
  { name: 'expected', align: 'left' },
  { name: 'caught', align: 'right' },
  { name: 'first catch', align: 'right' },
];

/** What is broken on purpose: each variant with what it must do, how often it was caught doing it, and at which of its trials first. */
export function controlsText({ controls, forged, nullCampaign }: RunSummary, paint: Paint): string {
  const rows = controls.map(({ variant, expected, met, caught, trials, firstCatch }) => [
    variant,
    expected,
    met ? `${caught}/${trials}` : paint('red', `${caught}/${trials}`),
    firstCatch === null ? paint('red', 'never') : `trial ${firstCatch}`,
  ]);
  return [
    ...(rows.length > 0 ? [table(columns, rows, paint)] : []),
    ...(forged === null ? [] : [forgedText(forged, paint)]),
    ...(nullCampaign === null ? [] : [nullCampaignText(nullCampaign, paint)]),
  ].join('\n');
}

function forgedText(forged: NonNullable<RunSummary['forged']>, paint: Paint): string {
  const planted = forged.filter(({ result }) => result !== 'not-plantable');
  const rejected = planted.filter(({ result }) => result === 'rejected').length;
  const text = `forged histories: ${rejected} of ${planted.length} rejected`;
  return rejected < planted.length ? paint('red', text) : text;
}

function nullCampaignText({ trials, hits, broken }: NonNullable<RunSummary['nullCampaign']>, paint: Paint): string {
  const text = `null campaign: ${count(trials, 'trial')} without faults, ${count(hits, 'hit')}, ${broken} broken`;
  return trials === 0 || hits > 0 || broken > 0 ? paint('red', text) : text;
}
