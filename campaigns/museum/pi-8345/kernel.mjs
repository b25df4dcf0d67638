/** A conversation of five turns in a session of the coding agent pi, which a later process opens again and goes on with. Exits 0 when it knows of all of them. */
import { writeSync } from 'node:fs';
// @ts-expect-error: the package is the subject's
import { SessionManager } from '@earendil-works/pi-coding-agent';

const TURNS = 5;
const state = process.env.CRASH_CAMPAIGN_STATE ?? '.';

const session = SessionManager.continueRecent(state, state);
while (session.getEntries().length < TURNS) {
  const text = `turn ${session.getEntries().length + 1}`;
  const id = session.appendMessage({ role: 'assistant', content: [{ type: 'text', text }], timestamp: Date.now() });
  writeSync(1, `@crash ack ${id}\n`);
}
