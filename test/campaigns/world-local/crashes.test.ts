import { expect, test } from 'vitest';
import { logIsComplete } from '../../../campaigns/world-local/log-is-complete.ts';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { sourceOf } from '../../../src/judge/findings.ts';
import { parsePlan } from '../../../src/plan/parse.ts';

/* One crash of each kind that docs/world-local.md tells of. */
const CRASHES: [subject: string, plan: string, breaks: string[]][] = [
  ['5.0.0-beta.46', 's1@event#6:kill', []],
  ['4.4.1', 's1@event#6:kill', []],
  ['5.0.0-beta.46', 's1@mkdir(*.lock)#1+:kill', ['recovers-within']],
  ['5.0.0-beta.46', 's1@write(version.txt)#1:kill', ['finishes', 'recovers-within']],
  ['4.4.1', 's1@link(*.completed.*)#1+:kill', ['finishes', 'recovers-within']],
];

test('a durable run, and the crashes that it does not survive', async () => {
  const campaign = await loadCampaign('world-local');
  const subjects = campaign.campaign.subjects ?? [];
  await withBench({ campaign, driver: 'sim', variants: [] }, async (bench) => {
    for (const [subject, plan, breaks] of CRASHES) {
      const { record, history } = await bench.run({ subject, scenario: 'kill-at-an-entity', seed: 1000, variant: null }, parsePlan(plan));
      const broken = [...new Set(record.violations.map(({ invariant }) => invariant))].toSorted();
      expect({ subject, plan, broken, void: record.void_reasons }).toEqual({ subject, plan, broken: breaks, void: [] });
      expect(record.violations.filter((violation) => sourceOf(record, violation, subjects) === null)).toEqual([]);
      expect(record.packages).toMatchObject([{ name: '@workflow/world-local', version: subject }]);
      if (broken.length > 0) continue;
      expect(logIsComplete.check(history)).toEqual([]);
      expect(logIsComplete.check(logIsComplete.forge(history) ?? history)).toMatchObject([{ site: 'no step_completed step 1' }]);
    }
  });
}, 300_000);
