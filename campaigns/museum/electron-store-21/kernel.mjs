/** Changes some settings, one after another, and goes on where a dead session stopped: what is set is not set again. Exits 0 when all are set. */
import { writeSync } from 'node:fs';
// @ts-expect-error: the package is the subject's
import Conf from 'conf';

const SETTINGS = 6;
const session = process.env.CRASH_CAMPAIGN_SESSION;

const settings = new Conf({ cwd: process.env.CRASH_CAMPAIGN_STATE, projectName: 'museum' });
for (let n = 1; n <= SETTINGS; n++) {
  const name = `setting-${n}`;
  if (settings.has(name)) continue;
  settings.set(name, session);
  writeSync(1, `@crash ack ${name}=${session}\n`);
}
