/** Adds five turns to a session of the coding agent pi, and goes on where a dead process stopped. Exits 0 when it knows of all of them. */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error: the package is the subject's
import { SessionManager } from '@earendil-works/pi-coding-agent';

const TURNS = 5;

const session = SessionManager.open(join(process.env.CRASH_CAMPAIGN_STATE ?? '.', 'session.jsonl'));
while (session.getEntries().length < TURNS) {
  const text = `turn ${session.getEntries().length + 1}`;
  const id = session.appendMessage({ role: 'assistant', content: [{ type: 'text', text }], timestamp: Date.now() });
  writeSync(1, `@crash ack ${id}\n`);
}
