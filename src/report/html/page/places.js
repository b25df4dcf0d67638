/** @import { TimelineData } from '../timeline-data.ts' */

/**
 * Where the entries of a trial lie, as shares of its length from 0 to 1.
 * @typedef {object} Places
 * @property {(at: number) => number} byStep Each told line takes as much room as another, however long it took.
 * @property {(at: number) => number} byTime
 * @property {(at: number) => number} msAt The trial time of a place.
 */

/** A wait takes so much more room, to say how long it was. */
const ROOM_OF_WAIT = 2.2;
/** A wait is what takes this share of a trial, with nothing told in between. */
export const WAIT = 0.04;

/** How much room a told line takes, by its sign; 1 if it is not here. */
const ROOM = { said: 0.35, operation: 0.35, renewed: 0.35, fault: 0.2 };

/** @param {TimelineData} data @returns {Places} */
export function placesOf({ gaps_us, lines }) {
  let now_us = 0;
  const times_us = gaps_us.map((gap) => (now_us += gap));
  const end_us = Math.max(1, times_us.at(-1) ?? 1);
  const steps = stepsOf(times_us, lines);
  const length = Math.max(1, steps.at(-1) ?? 1);
  /** @param {number[]} values @param {number} at */
  const between = (values, at) => {
    const before = values[Math.floor(at)] ?? 0;
    return before + (at % 1) * ((values[Math.ceil(at)] ?? before) - before);
  };
  return {
    byStep: (at) => between(steps, at) / length,
    byTime: (at) => between(times_us, at) / end_us,
    msAt: (at) => between(times_us, at) / 1000,
  };
}

/**
 * Between two told lines there is more room the more entries lie there, and they lie in it by their times.
 * @param {number[]} times_us @param {TimelineData['lines']} lines
 */
function stepsOf(times_us, lines) {
  const told = lines.filter((line) => line.told);
  /** @type {number[]} */
  const steps = [];
  let step = 0;
  let from = 0;
  for (const { at, sign } of [...told, { at: times_us.length - 1, sign: 'end' }]) {
    const [start_us, span_us] = [times_us[from] ?? 0, (times_us[at] ?? 0) - (times_us[from] ?? 0)];
    const isWait = span_us > WAIT * (times_us.at(-1) ?? 0);
    const room =
      (ROOM[/** @type {keyof typeof ROOM} */ (sign)] ?? 1) + 0.25 * Math.log2(Math.max(1, at - from)) + (isWait ? ROOM_OF_WAIT : 0);
    for (let i = from; i <= at; i += 1) {
      const share = at === from ? 0 : span_us > 0 ? ((times_us[i] ?? 0) - start_us) / span_us : (i - from) / (at - from);
      steps[i] = step + share * room;
    }
    if (at > from) step += room;
    from = at;
  }
  return steps;
}
