import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCampaign, type LockAdapter, type LockSite, type Scenario } from 'crash-campaign';
import { constant } from 'fast-check';

const path = ({ state }: LockSite) => join(state, 'lock');
const put = (site: LockSite, session: string, expires_at_ms: number) =>
  writeFileSync(path(site), JSON.stringify({ session, expires_at_ms }));
const held = (site: LockSite) => JSON.parse(readFileSync(path(site), 'utf8'));

const lock: LockAdapter = {
  kind: 'file',
  covers: (path) => path.startsWith('lock'),
  inspect(site) {
    if (!existsSync(path(site))) return { is: 'free' };
    const { session, expires_at_ms } = held(site);
    return { is: 'held', holder: { session }, expires_at_ms };
  },
  steal: (site) => put(site, 'thief', site.now_ms + site.ttl_ms),
  expire: (site) => put(site, held(site).session, site.now_ms),
  corrupt: (site) => rmSync(path(site)),
};

const killAtSecondEvent: Scenario = {
  name: 'kill-at-second-event',
  title: 'The session is killed when its second event has been seen.',
  draw: () => constant({ cast: [{}], faults: [{ where: { at: 'event', n: 2 }, action: { do: 'kill' } }] }),
};

/** A campaign that is over soon: for a harness that is itself under test. */
export default defineCampaign({
  name: 'inner',
  title: 'Three events under a lock.',
  kernel: { command: ['node', '{kernel}/kernel.mjs', '{ttl_ms}'] },
  lock,
  read({ state }) {
    const file = join(state, 'ledger');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    const events = lines.map((line, index) => ({ id: line.split(' ')[0] ?? '', ref: `ledger:${index + 1}`, session: line.split(' ')[1] }));
    return { events, work: [], unreadable: [], debris: [] };
  },
  scenarios: [killAtSecondEvent],
  variants: [
    {
      name: 'without-resume',
      edit: [{ file: 'kernel.mjs', from: 'const first = written();', to: 'const first = 0;' }],
      expect: { breaks: ['no-duplicate-events'] },
      trials: 1,
    },
  ],
  seeds: '1-2',
  timing: {
    sim: { ttl_ms: 1000, recovers_within_ms: 10_000, deadline_ms: 30_000 },
    live: { ttl_ms: 300, recovers_within_ms: 20_000, deadline_ms: 40_000 },
  },
  robbed_reason: 'robbed',
});
