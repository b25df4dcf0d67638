import { BEGIN, END } from './marks.ts';
import type { NewFile } from './new-file.ts';

/** A program to begin with, its campaign and one control, for who has none of his own yet. */
export function stubFiles(name: string): NewFile[] {
  return [
    { path: `campaigns/${name}/kernel.mjs`, text: KERNEL },
    { path: `campaigns/${name}/campaign.ts`, text: campaign(name) },
  ];
}

const KERNEL = `// The program under test: it writes ten lines into a ledger, under a lock with a lease and a token. Put your own in its place.
//
// The lock is a directory of claims, 1.claim, 2.claim, …, of which the highest holds. Taking it, renewing it and giving it back are each
// the creation of the next one, which only one session can win. Whoever finds the highest claim run out or released may take over.
import { appendFileSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LINES = 10;
const state = process.env.CRASH_CAMPAIGN_STATE;
const session = process.env.CRASH_CAMPAIGN_SESSION;
const ttl_ms = Number(process.env.TTL_MS);
const ledger = join(state, 'ledger');

function highestClaim() {
  const number = Math.max(0, ...readdirSync(join(state, 'lock')).map((file) => Number.parseInt(file, 10) || 0));
  if (number === 0) return { number, token: 0, expires_at_ms: 0, released: true };
  return { number, ...JSON.parse(readFileSync(join(state, 'lock', number + '.claim'), 'utf8')) };
}

/** False: another was faster. A claim appears under its name as a whole, because it is written before it is linked there. */
function claim(number, token, released = false) {
  const draft = join(state, session + '.draft');
  writeFileSync(draft, JSON.stringify({ token, session, ttl_ms, expires_at_ms: Date.now() + ttl_ms, released, seals: false }));
  try {
    linkSync(draft, join(state, 'lock', number + '.claim'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

mkdirSync(join(state, 'lock'), { recursive: true });
let held = highestClaim();
while (!(held.released || Date.now() >= held.expires_at_ms) || !claim(held.number + 1, held.token + 1)) {
  await sleep(ttl_ms / 20);
  held = highestClaim();
}
const token = held.token + 1;
let number = held.number + 1;

function robbed() {
  console.log('@crash reason lock-stolen-mid-run');
  process.exit(1);
}
const heartbeat = setInterval(() => {
  number += 1;
  if (!claim(number, token)) robbed();
}, ttl_ms / 4);

let done = 0;
// ${BEGIN} resume
// What a killed session has written stays. A line that it did not get to the end of is none.
if (existsSync(ledger)) {
  const text = readFileSync(ledger, 'utf8');
  truncateSync(ledger, text.lastIndexOf('\\n') + 1);
  done = text.split('\\n').length - 1;
}
// ${END}

const file = openSync(ledger, 'a');
while (done < LINES) {
  await sleep(ttl_ms / 15);
  if (highestClaim().token !== token) robbed();
  done += 1;
  appendFileSync(file, 'line-' + done + ' ' + session + ' ' + token + '\\n');
  fsyncSync(file);
  // Whoever is told this may rely on it.
  console.log('@crash ack line-' + done);
}
clearInterval(heartbeat);
claim(number + 1, token, true);
`;

const campaign = (name: string) => `import { existsSync, readFileSync } from 'node:fs';
import { claimLease, contend, defineCampaign, killAnywhere, killDuringRecovery, killWhileHolding } from 'crash-campaign';

export default defineCampaign({
  name: '${name}',
  title: 'Sessions write ten lines into a ledger, under a lock with a lease.',
  kernel: { command: ['node', '{kernel}/kernel.mjs'], env: { TTL_MS: '{ttl_ms}' } },
  lock: claimLease(),
  // What is durable now. It is called at any moment, so that a line without its end is to be expected.
  read({ state }) {
    const text = existsSync(state + '/ledger') ? readFileSync(state + '/ledger', 'utf8') : '';
    const lines = text.split('\\n').slice(0, -1);
    const events = lines.map((line, i) => {
      const [id = '', session, token] = line.split(' ');
      return { id, ref: 'ledger:' + (i + 1), session, token: Number(token) };
    });
    return { events, work: [], unreadable: [], debris: [] };
  },
  // Next: takeoverAfterExpiry and stealLock, which let a holder write that no longer is one. A look at the lock before each write, as
  // the kernel has it, does not stop it: the storage must.
  scenarios: [killAnywhere, killWhileHolding, killDuringRecovery, contend],
  // A kernel that is broken on purpose must be caught, or nobody knows what else is not.
  variants: [
    { name: 'without-resume', strip: ['resume'], expect: { breaks: ['no-duplicate-events'] }, scenarios: ['kill-while-holding'] },
  ],
  seeds: '1-10',
  robbed_reason: 'lock-stolen-mid-run',
  // sim: real programs on a virtual clock, so that a long lease costs nothing. live: the real clock, and a short one.
  // From each kill to the next line there may be as many leases to wait for as are left behind by then: five in crashLoop.
  timing: {
    sim: { ttl_ms: 30_000, recovers_within_ms: 240_000, deadline_ms: 600_000 },
    live: { ttl_ms: 1_000, recovers_within_ms: 15_000, deadline_ms: 45_000 },
  },
});
`;
