import type { EntryOf, History, TrialFacts } from './history.ts';
import type { EndRecord } from './record.ts';

/** Signals by which a program dies of its own fault; every other signal was sent by somebody. */
const OWN_SIGNALS = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP']);

/** How each session ended, in order of ending. A session that still ran when the trial was given up is not in it. */
export function endsOf({ trial, entries }: History): EndRecord[] {
  const stuck = new Set(entries.filter((entry) => entry.type === 'stuck').map(({ session }) => session));
  return entries
    .filter((entry) => entry.type === 'end')
    .map((end) => ({
      session: end.session,
      how: stuck.has(end.session) ? 'stuck' : howItEnded(end, trial),
      code: end.code,
      signal: end.signal,
      reason: end.reason,
      ...(end.last_operation !== undefined && { last_operation: end.last_operation }),
    }));
}

function howItEnded({ asked, code, signal, reason }: EntryOf<'end'>, trial: TrialFacts): EndRecord['how'] {
  if (asked) return 'killed';
  if (signal !== null) return OWN_SIGNALS.has(signal) ? 'own-error' : 'foreign-kill';
  if (code === 0) return 'done';
  if (reason === trial.robbed_reason) return 'robbed';
  return reason !== null && trial.allowed_reasons.includes(reason) ? 'allowed' : 'own-error';
}

/** Whether the work was finished: nobody gave up, and a session found it done after the last fault. */
export function wasFinished({ entries }: Pick<History, 'entries'>): boolean {
  if (entries.some((entry) => entry.type === 'given-up')) return false;
  const lastFault = entries.findLastIndex((entry) => entry.type === 'fault' && entry.phase === 'delivered' && !isDeviation(entry.fault));
  return entries.some((entry, index) => index > lastFault && entry.type === 'end' && entry.code === 0);
}

/** Whether a fault, in its printed form, only says who goes first. */
export function isDeviation(fault: string): boolean {
  return /:yield=[^:]*$/.test(fault);
}
