import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateReading } from '../../src/history/history.ts';
import type { LockSite } from '../../src/locks/lock.ts';

/** The whole lines of a ledger that sessions share: `<event> <session> .` each. One that was torn is none. */
export function readLedger({ state }: Pick<LockSite, 'state'>): StateReading {
  const ledger = join(state, 'ledger');
  const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : [];
  const events = lines.flatMap((line, index) => {
    const [, id = '', session] = /^(\S+) (\S+) \.$/.exec(line) ?? [];
    return id === '' ? [] : { id, ref: `ledger:${index + 1}`, session };
  });
  return { events, work: [], unreadable: [], debris: [] };
}
