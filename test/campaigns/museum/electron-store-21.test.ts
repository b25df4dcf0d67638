import { expect, test } from 'vitest';
import { loadExhibit } from '../../../campaigns/museum/cases.ts';
import { bugIn } from '../../../campaigns/museum/search.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { parsePlan } from '../../../src/plan/parse.ts';

test('settings are lost in the middle of a write that empties the file first, and in no part of one that makes another file and renames it', async () => {
  const { about, campaign } = await loadExhibit('electron-store-21');
  await withBench({ campaign, driver: 'sim', variants: [] }, async (bench) => {
    const lost = async (subject: string, plan: string) => {
      const { record } = await bench.run({ subject, variant: null, scenario: 'no-faults', seed: 1 }, parsePlan(plan));
      expect(record.landed, plan).toMatchObject([{ state: 'delivered' }]);
      return bugIn(record, about)?.message;
    };
    const some = expect.stringMatching(
      /^s1 acknowledged setting-1=s1 at .*, and it is not there at the end: gone from config.json setting-1 since/,
    );
    expect(await lost('conf@1.1.2', 's1@write(config.json)#3:kill')).toEqual(some);
    expect(await lost('conf@1.1.2', 's1@write(config.json)#3:tear=9')).toEqual(some);
    expect(await lost('conf@1.1.2', 's1@write(config.json)#3+:kill')).toBeUndefined();
    for (const place of [
      'write(config.json.*)#3:kill',
      'write(config.json.*)#3:tear=9',
      'rename(config.json.*)#3:kill',
      'rename(config.json.*)#3+:kill',
    ])
      expect(await lost('conf@1.2.0', `s1@${place}`), place).toBeUndefined();
  });
});
