import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tornWrite from '../../../scenarios/torn-write.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import finishes from '../../../src/invariants/finishes.ts';
import noLostAcks from '../../../src/invariants/no-lost-acks.ts';
import { noLock } from '../../../src/locks/no-lock.ts';
import museumCase from './case.ts';
import { readSession } from './read.ts';

const { source } = museumCase;
const timing = { ttl_ms: 5_000, recovers_within_ms: 20_000, deadline_ms: 60_000 };

const subject = (version: string) => ({
  name: `pi-coding-agent@${version}`,
  package: `@earendil-works/pi-coding-agent@${version}`,
  packageLock: '../packages.lock.json',
});

export default defineCampaign({
  name: 'pi-8345',
  title: 'A session of the coding agent pi, which was begun before, is gone on with by one process after another.',
  kernel: { command: ['node', '{kernel}/kernel.mjs'] },
  subjects: [
    {
      ...subject('0.84.3'),
      knownDefects: [
        { invariant: 'no-lost-acks', source },
        // Of the two that one line holds, the other is missed too.
        { invariant: 'finishes', site: 'unfinished after a kill while idle', source },
      ],
    },
    subject('0.84.4'),
  ],
  lock: noLock,
  setup({ state, now_ms }) {
    const header = { type: 'session', version: 3, id: 'museum', timestamp: new Date(now_ms).toISOString(), cwd: '/' };
    writeFileSync(join(state, 'session.jsonl'), `${JSON.stringify(header)}\n`);
  },
  read: readSession,
  scenarios: [tornWrite],
  invariants: [noLostAcks, finishes],
  seeds: '1-20',
  robbed_reason: 'robbed',
  timing: { sim: timing, live: timing },
});
