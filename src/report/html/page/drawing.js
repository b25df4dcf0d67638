/** @import { TimelineData } from '../timeline-data.ts' */
import { WAIT } from './places.js';
import { brief, isProminent, mark, seconds, svg } from './shapes.js';

/**
 * What is seen of a trial: from where to where, as shares of its length; which violation is shown; which line is chosen.
 * @typedef {{ from: number, to: number, violation: number, line: number }} View
 */

/**
 * @typedef {object} Drawing
 * @property {SVGElement} element
 * @property {(at: number) => number} x In pixels.
 * @property {(x: number, y: number) => number | null} laneAt
 */

export const GUTTER = 72;
const RIGHT = 16;
const LOCK = { y: 26, height: 26 };
const LANE = 72;
const TOP = 58;
/** The line of a session within its lane: below what is written, above the operations. */
const MIDDLE = 42;
const AXIS = 30;
/** Where it is written how long was waited. */
const WAITS = 18;
/** Space between two labels, in pixels. */
const APART = 8;
const LETTER = 6.6;

/**
 * Draws a trial into a width of so many pixels.
 * @param {TimelineData} data @param {(at: number) => number} place @param {(at: number) => number} msAt @param {View} view @param {number} width
 * @returns {Drawing}
 */
export function draw(data, place, msAt, view, width) {
  const inner = width - GUTTER - RIGHT;
  const height = TOP + data.sessions.length * LANE + WAITS + AXIS;
  const x = (/** @type {number} */ at) => GUTTER + ((place(at) - view.from) / (view.to - view.from)) * inner;
  const yOf = (/** @type {number} */ lane) => (lane < 0 ? LOCK.y : TOP + lane * LANE + MIDDLE);
  const isSeen = (/** @type {number} */ at) => x(at) >= GUTTER - 1 && x(at) <= width - RIGHT + 1;
  const bottom = height - AXIS;

  const plane = svg('g', { 'clip-path': 'url(#plane)' });
  const told = data.lines.filter((line) => line.told);
  plane.append(...waits(told, x, msAt, bottom));
  for (const span of data.spans) {
    const [from, to] = [Math.max(x(span.from), GUTTER - 2), Math.min(x(span.to), width)];
    if (to > from) plane.append(...spanShapes(span, from, to, yOf(span.lane)));
  }
  plane.append(...operationTicks(data, x, isSeen, yOf));
  const shown = data.violations[view.violation];
  if (shown) plane.append(...proofShapes(data, shown, x, yOf, bottom));
  for (const { at, lane, sign, breaks } of told) {
    if (!isSeen(at)) continue;
    // A fault strikes from above, so that what it does can be seen beneath it.
    const isFault = sign === 'fault' || sign === 'missed';
    plane.append(mark(sign, x(at), yOf(lane) - (isFault ? 32 : 0), breaks.length > 0));
  }
  const chosen = data.lines[view.line];
  if (chosen) plane.append(svg('line', { class: 'chosen', x1: x(chosen.at), x2: x(chosen.at), y1: 0, y2: bottom }));
  plane.append(...labels(told, x, isSeen, yOf, width - RIGHT / 2));

  const names = ['lock', ...data.sessions].map((name, i) =>
    svg('text', { class: i === 0 ? 'name' : `name owner-${(i - 1) % 6}`, x: GUTTER - 12, y: yOf(i - 1) + 5 }, name),
  );
  const element = svg(
    'svg',
    { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': data.title },
    svg('defs', {}, svg('clipPath', { id: 'plane' }, svg('rect', { x: GUTTER - 8, y: 0, width: inner + RIGHT, height })), hatch()),
    ...names,
    plane,
    ...axis(told, x, isSeen, msAt, bottom),
  );
  return {
    element,
    x,
    laneAt: (px, py) => {
      const lane = py < TOP ? -1 : Math.floor((py - TOP) / LANE);
      return px < GUTTER || lane >= data.sessions.length ? null : lane;
    },
  };
}

function hatch() {
  return svg(
    'pattern',
    { id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    svg('line', { class: 'hatch', x1: 0, x2: 0, y1: 0, y2: 6 }),
  );
}

/** Stretches in which nothing is told for long. @param {TimelineData['lines']} told @param {(at: number) => number} x @param {(at: number) => number} msAt @param {number} bottom */
function waits(told, x, msAt, bottom) {
  const long_ms = (msAt(told.at(-1)?.at ?? 0) || 1) * WAIT;
  return told.flatMap(({ at }, i) => {
    const next = told[i + 1];
    const ms = next ? msAt(next.at) - msAt(at) : 0;
    if (!next || ms < long_ms) return [];
    const [from, to] = [x(at), x(next.at)];
    const box = svg('rect', { class: 'wait', x: from, y: 0, width: to - from, height: bottom });
    const text = brief(ms);
    return to - from < text.length * LETTER ? [box] : [box, svg('text', { class: 'wait', x: (from + to) / 2, y: bottom - 4 }, text)];
  });
}

/** @param {TimelineData['spans'][number]} span @param {number} from @param {number} to @param {number} y */
function spanShapes({ kind, owner, label, lane }, from, to, y) {
  const half = lane < 0 ? LOCK.height / 2 : kind === 'alive' ? 1.5 : 6;
  const attributes = { x: from, y: y - half, width: Math.max(1, to - from), height: 2 * half };
  const box = svg('rect', { ...attributes, class: `span ${kind} owner-${owner < 0 ? 'nobody' : owner % 6}` });
  const shapes = kind === 'orphaned' || kind === 'stolen' ? [box, svg('rect', { ...attributes, class: 'hatched' })] : [box];
  const room = to - Math.max(from, GUTTER) - 10;
  if (lane < 0 && label.length * LETTER < room)
    shapes.push(svg('text', { class: `span ${kind}`, x: Math.max(from, GUTTER) + 6, y: y + 4.5 }, label));
  return shapes;
}

/** One path for each lane and kind: there may be thousands. @param {TimelineData} data @param {(at: number) => number} x @param {(at: number) => boolean} isSeen @param {(lane: number) => number} yOf */
function operationTicks({ operations, sessions }, x, isSeen, yOf) {
  return sessions.flatMap((_, lane) =>
    [0, 1].map((changes) => {
      const own = operations.filter((operation) => operation[1] === lane && operation[3] === changes && isSeen(operation[0]));
      const y = yOf(lane) + 13;
      return svg('path', {
        class: `operations ${changes ? 'changes' : 'reads'}`,
        d: own.map(([at]) => `M${x(at).toFixed(1)} ${y}v${changes ? 9 : 6}`).join(''),
      });
    }),
  );
}

/** The proofs of a violation, and the two of them that collide. @param {TimelineData} data @param {TimelineData['violations'][number]} violation @param {(at: number) => number} x @param {(lane: number) => number} yOf @param {number} bottom */
function proofShapes({ lines }, { at, pair }, x, yOf, bottom) {
  const shapes = at.map((place) => svg('line', { class: 'proof', x1: x(place), x2: x(place), y1: 0, y2: bottom }));
  const [a, b] = pair.map((place) => ({ x: x(place), y: yOf(lines.find((line) => line.told && line.at === place)?.lane ?? -1) }));
  if (a && b)
    shapes.push(
      svg('path', {
        class: 'collision',
        d: `M${a.x} ${a.y}C${a.x + (b.x - a.x) / 2} ${a.y} ${a.x + (b.x - a.x) / 2} ${b.y} ${b.x} ${b.y}`,
      }),
    );
  return shapes;
}

/** Words beside the marks, where they don't run into each other; those that prove something come first. @param {TimelineData['lines']} told @param {(at: number) => number} x @param {(at: number) => boolean} isSeen @param {(lane: number) => number} yOf @param {number} end */
function labels(told, x, isSeen, yOf, end) {
  /** @type {{ lane: number, from: number, to: number }[]} */
  const taken = [];
  const weight = (/** @type {TimelineData['lines'][number]} */ { breaks, sign }) => (breaks.length > 0 ? 2 : isProminent(sign) ? 1 : 0);
  return told
    .filter(({ label, at, lane }) => label !== '' && lane >= 0 && isSeen(at))
    .toSorted((a, b) => weight(b) - weight(a))
    .flatMap(({ at, lane, label, breaks }) => {
      const half = (label.length * LETTER) / 2 + APART / 2;
      const middle = Math.min(Math.max(x(at), GUTTER + half), end - half);
      const [from, to] = [middle - half, middle + half];
      if (taken.some((other) => other.lane === lane && other.from < to && from < other.to)) return [];
      taken.push({ lane, from, to });
      return [svg('text', { class: breaks.length > 0 ? 'label proof' : 'label', x: middle, y: yOf(lane) - 14 }, label)];
    });
}

/** @param {TimelineData['lines']} told @param {(at: number) => number} x @param {(at: number) => boolean} isSeen @param {(at: number) => number} msAt @param {number} y */
function axis(told, x, isSeen, msAt, y) {
  let last = -Infinity;
  return told.flatMap(({ at }) => {
    const text = seconds(msAt(at));
    if (!isSeen(at) || x(at) - last < text.length * LETTER + 2 * APART) return [];
    last = x(at);
    return [
      svg('line', { class: 'tick', x1: x(at), x2: x(at), y1: y, y2: y + 5 }),
      svg('text', { class: 'tick', x: x(at), y: y + 18 }, text),
    ];
  });
}
