const SVG = 'http://www.w3.org/2000/svg';

/**
 * An SVG element. Text is set as text, so that nothing in it is read as markup.
 * @param {string} name @param {Record<string, string | number>} attributes @param {(Node | string)[]} children
 */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, typeof value === 'number' ? String(Math.round(value * 10) / 10) : value);
  element.append(...children);
  return element;
}

/** @type {Record<string, string>} Outlines around 0,0. */
const OUTLINES = {
  event: 'M0-7L7 0L0 7L-7 0Z',
  'event-lost': 'M0-7L7 0L0 7L-7 0Z',
  work: 'M-5-5H5V5H-5Z',
  killed: 'M-6-6L6 6M6-6L-6 6',
  died: 'M-6-6L6 6M6-6L-6 6',
  done: 'M5 0A5 5 0 1 1-5 0A5 5 0 1 1 5 0Z',
  spawn: 'M5 0A5 5 0 1 1-5 0A5 5 0 1 1 5 0Z',
  paused: 'M-4-7V7M4-7V7',
  continued: 'M-4-7L6 0L-4 7Z',
  acquired: 'M-5 5L0-5L5 5Z',
  released: 'M-5-5L0 5L5-5Z',
  stolen: 'M-5 5L0-5L5 5Z',
  expired: 'M0-7V7',
  damaged: 'M-6-6L6 6M6-6L-6 6',
  fault: 'M2-9L-5 1H0L-2 9L5-1H0Z',
  missed: 'M2-9L-5 1H0L-2 9L5-1H0Z',
  unreadable: 'M0-8L8 6H-8Z',
  'given-up': 'M0-8L8 6H-8Z',
  stuck: 'M0-8L8 6H-8Z',
};
const DOT = 'M2 0A2 2 0 1 1-2 0A2 2 0 1 1 2 0Z';

/** Signs that stand in front of the others. */
export const isProminent = (/** @type {string} */ sign) => sign in OUTLINES;

/** The mark of a line. @param {string} sign @param {number} x @param {number} y @param {boolean} proves */
export function mark(sign, x, y, proves) {
  const shape = svg('g', { class: `mark ${sign}`, transform: `translate(${Math.round(x * 10) / 10},${y})` });
  if (proves) shape.append(svg('circle', { class: 'ring', r: 11 }));
  shape.append(svg('path', { d: OUTLINES[sign] ?? DOT }));
  return shape;
}

/** What stands before the words of the legend. @param {string} sign */
export function sample(sign) {
  const box = svg('svg', { width: 28, height: 20, viewBox: '-14 -10 28 20', 'aria-hidden': 'true' });
  if (sign === 'proof') box.append(svg('circle', { class: 'ring', r: 8 }));
  else if (sign === 'wait') box.append(svg('rect', { class: 'wait', x: -14, y: -10, width: 28, height: 20 }));
  else if (sign === 'paused-span') box.append(svg('rect', { class: 'span paused', x: -14, y: -5, width: 28, height: 10 }));
  else if (['held', 'orphaned', 'lapsed'].includes(sign))
    box.append(svg('rect', { class: `span ${sign} owner-0`, x: -14, y: -7, width: 28, height: 14 }));
  else if (sign === 'operations')
    box.append(
      svg('path', { class: 'operations changes', d: 'M-4-4v9M4-4v9' }),
      svg('path', { class: 'operations', d: 'M-8-4v6M0-4v6M8-4v6' }),
    );
  else box.append(mark(sign, 0, 0, false));
  if (sign === 'orphaned') box.append(svg('rect', { class: 'hatched', x: -14, y: -7, width: 28, height: 14 }));
  return box;
}

/** `12.345 s` @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(3)} s`;

/** Three digits that count: `412 ms`, `31.7 s`, `2 m 05 s`. @param {number} ms */
export function brief(ms) {
  if (ms < 999.5) return `${Number(ms.toPrecision(3))} ms`;
  const s = ms / 1000;
  if (s < 119.5) return `${s < 99.95 ? s.toPrecision(3) : Math.round(s)} s`;
  return `${Math.floor(Math.round(s) / 60)} m ${String(Math.round(s) % 60).padStart(2, '0')} s`;
}
