/** @import { TimelineData } from '../timeline-data.ts' */
/** @import { Drawing } from './drawing.js' */
/** @import { Places } from './places.js' */
import { seconds } from './shapes.js';

/** A line in words, with what it proves. @param {TimelineData['lines'][number]} line */
export function lineText({ text, breaks }) {
  return breaks.length > 0 ? `${text}  ← ${breaks.join(', ')}` : text;
}

/** What is said of a lock that names somebody, by the kind of span. @type {Record<string, string>} */
const CLAIM = { orphaned: ', which is dead', lapsed: ', whose lease is over' };

/**
 * What the mouse points at, in words: the operation or the line that is nearest, or else who has the lock. Empty: nothing.
 * @param {TimelineData} trial @param {Places} places @param {Drawing} drawing @param {number} x
 * @param {{ line?: TimelineData['lines'][number], operation?: TimelineData['operations'][number], span?: TimelineData['spans'][number] }} found
 */
export function tipText(trial, { msAt }, drawing, x, { line, operation, span }) {
  const distance = (/** @type {number} */ at) => Math.abs(drawing.x(at) - x);
  if (operation && (!line || distance(operation[0]) < distance(line.at)))
    return `${seconds(msAt(operation[0]))}\n${trial.sessions[operation[1]]} ${trial.texts[operation[2]]}`;
  if (line) return [seconds(msAt(line.at)), line.text, ...line.breaks.map((name) => `← ${name}`)].join('\n');
  return span ? `${seconds(msAt(span.from))} to ${seconds(msAt(span.to))}\nthe lock names ${span.label}${CLAIM[span.kind] ?? ''}` : '';
}
