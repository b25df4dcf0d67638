import type { History } from '../history/history.ts';
import { acceptedIn } from '../history/sightings.ts';
import { type Tenure, tenuresOf } from '../history/tenures.ts';
import type { Invariant } from './invariant.ts';
import { rereadFinal } from './planting.ts';
import { holderName, seconds } from './wording.ts';

/** Also after damage to the lock: a fencing token that is kept only in what can be lost does not fence. */
const tokensNeverGoBack: Invariant = {
  name: 'tokens-never-go-back',
  title: 'Each new holder has a greater token than all before it, and events are accepted in order of their tokens.',

  check(history) {
    return [...acquisitions(history), ...events(history)];
  },

  forge(history) {
    const [before, last] = withToken(tenuresOf(history)).slice(-2);
    if (before && last) {
      return {
        ...history,
        entries: history.entries.map((entry, index) =>
          entry.type === 'lock' && index >= last.from && entry.token === last.token ? { ...entry, token: before.token - 1 } : entry,
        ),
      };
    }
    const tokens = acceptedIn(history).flatMap(({ token }) => token ?? []);
    if (tokens.length < 2) return null;
    return rereadFinal(history, ({ events }) => {
      const index = events.findLastIndex(({ token }) => token !== undefined);
      return { events: events.map((event, i) => (i === index ? { ...event, token: Math.max(...tokens) - 1 } : event)) };
    });
  },
};

function acquisitions(history: History) {
  let greatest: (Tenure & { token: number }) | null = null;
  const violations = [];
  for (const tenure of withToken(tenuresOf(history))) {
    const isBack =
      greatest !== null && (tenure.session === greatest.session ? tenure.token < greatest.token : tenure.token <= greatest.token);
    if (greatest && isBack) {
      const at = (index: number) => seconds(history.entries[index]?.t_ms ?? 0);
      violations.push({
        message: `${holderName(tenure)} acquired the lock at ${at(tenure.from)}, though ${holderName(greatest)} had at ${at(greatest.from)}`,
        sessions: [greatest, tenure].flatMap(({ session }) => session ?? []),
        entries: [greatest.from, tenure.from],
        site: 'lock',
      });
    }
    if (greatest === null || tenure.token > greatest.token) greatest = tenure;
  }
  return violations;
}

function events(history: History) {
  const accepted = withToken(acceptedIn(history));
  return accepted.flatMap((event, i) => {
    const before = accepted[i - 1];
    if (!before || event.token >= before.token) return [];
    return {
      message: `${event.id} (${event.ref}, token ${event.token}) is accepted after ${before.id} (${before.ref}, token ${before.token})`,
      sessions: [...new Set([before, event].flatMap(({ session }) => session ?? []))],
      entries: [before.index, event.index],
      site: `event in ${event.ref}`,
    };
  });
}

function withToken<T extends { token: number | null }>(list: T[]): (T & { token: number })[] {
  return list.filter((item): item is T & { token: number } => item.token !== null);
}

export default tokensNeverGoBack;
