import damageLock from '../../../scenarios/damage-lock.ts';
import failingDisk from '../../../scenarios/failing-disk.ts';
import killDuringTakeover from '../../../scenarios/kill-during-takeover.ts';
import powerCut from '../../../scenarios/power-cut.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import ingest from '../campaign.ts';
import { variants } from '../mutants.ts';

export default defineCampaign({
  ...ingest,
  name: 'mutants',
  title: 'Each mutant of the ingest kernel and its lock has one thing changed in it, and must be caught.',
  kernel: { ...ingest.kernel, directory: '..' },
  scenarios: [...ingest.scenarios, powerCut, failingDisk, killDuringTakeover, damageLock],
  variants,
});
