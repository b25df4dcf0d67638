import { wasFinished } from '../history/ends.ts';
import type { Invariant } from './invariant.ts';
import { rereadFinal } from './planting.ts';

/** A run that did not finish may leave what it likes: that is for `finishes`. */
const noDebris: Invariant = {
  name: 'no-debris',
  title: 'A finished run leaves nothing behind that is not its result.',

  check(history) {
    if (!wasFinished(history)) return [];
    return history.entries.flatMap((entry, index) => {
      if (entry.type !== 'final') return [];
      return entry.debris.map((path) => ({
        message: `${path} is left behind, though the work is finished`,
        sessions: [],
        entries: [index],
        site: `debris ${path}`,
      }));
    });
  },

  forge(history) {
    if (!wasFinished(history) || history.entries.every(({ type }) => type !== 'final')) return null;
    return rereadFinal(history, ({ debris }) => ({ debris: [...debris, 'forged.tmp'] }));
  },
};

export default noDebris;
