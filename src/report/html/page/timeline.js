/** @import { TimelineData } from '../timeline-data.ts' */
import { buttons } from './buttons.js';
import { draw } from './drawing.js';
import { placesOf } from './places.js';
import { sample, seconds } from './shapes.js';
import { lineText, tipText } from './tip.js';

/** How near the mouse must be to what it points at, in pixels. */
const NEAR = 9;
const WIDTH_MIN = 480;
/** No less than this share of a trial fills the drawing. */
const SPAN_MIN = 0.002;

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {TimelineData[]} */
const trials = JSON.parse(byId('timelines')?.textContent ?? '[]');
const [first] = trials;
if (first) openTimeline(first);

/** @param {TimelineData} first */
function openTimeline(first) {
  const drawing = byId('drawing');
  const select = /** @type {HTMLSelectElement} */ (byId('trial'));
  const trueToTime = /** @type {HTMLInputElement} */ (byId('true-to-time'));
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;

  let trial = first;
  let places = placesOf(trial);
  let view = { from: 0, to: 1, violation: 0, line: -1 };
  let jumped = false;
  let shown = drawn();

  /** Where entries are drawn. */
  function placing() {
    return trueToTime.checked ? places.byTime : places.byStep;
  }

  function drawn() {
    return draw(trial, placing(), places.msAt, view, Math.max(WIDTH_MIN, drawing.clientWidth));
  }

  function redraw() {
    shown = drawn();
    drawing.replaceChildren(shown.element, tip);
  }

  /** @param {string} id */
  function open(id) {
    trial = trials.find((other) => other.id === id) ?? trial;
    places = placesOf(trial);
    view = { from: 0, to: 1, violation: 0, line: -1 };
    jumped = false;
    select.value = trial.id;
    byId('plan').textContent = trial.plan;
    byId('notes').textContent = trial.notes.join('; ');
    byId('jump').hidden = trial.violations.length === 0;
    byId('story').replaceChildren(...trial.story.map((sentence) => element('li', sentence)));
    byId('lines').replaceChildren(...trial.lines.map(row));
    tell();
    redraw();
  }

  /** @param {TimelineData['lines'][number]} line @param {number} index */
  function row(line, index) {
    const tr = document.createElement('tr');
    tr.className = [line.told ? 'told' : 'detail', ...(line.breaks.length > 0 ? ['proof'] : [])].join(' ');
    tr.append(
      element('td', seconds(places.msAt(line.at)), 'n'),
      element('td', trial.sessions[line.lane] ?? ''),
      element('td', lineText(line)),
    );
    tr.addEventListener('click', () => choose(index));
    return tr;
  }

  function tell() {
    const violation = trial.violations[view.violation];
    const more = trial.violations.length > 1 ? ` (${view.violation + 1} of ${trial.violations.length})` : '';
    byId('violation').textContent = violation ? `${violation.invariant}${more}: ${violation.message}` : '';
    const line = trial.lines[view.line];
    byId('step').textContent = line ? `${seconds(places.msAt(line.at))}  ${lineText(line)}` : 'Choose a step, or point at one.';
    byId('step').classList.toggle('none', !line);
    for (const [i, tr] of [...byId('lines').children].entries()) tr.classList.toggle('chosen', i === view.line);
  }

  /** Chooses a line and brings it into view. @param {number} index */
  function choose(index) {
    view.line = Math.min(Math.max(index, 0), trial.lines.length - 1);
    const at = trial.lines[view.line]?.at ?? 0;
    const x = placing()(at);
    const span = view.to - view.from;
    if (x < view.from || x > view.to) look(x - span / 2, x + span / 2);
    tell();
    redraw();
    const table = byId('lines').closest('.lines');
    const tr = /** @type {HTMLElement | undefined} */ (byId('lines').children[view.line]);
    if (table && tr) table.scrollTop = tr.offsetTop - table.clientHeight / 2;
  }

  /** From one told line to the next, or to the one before. @param {1 | -1} direction */
  function step(direction) {
    let index = view.line;
    do index += direction;
    while (trial.lines[index] && !trial.lines[index]?.told);
    if (trial.lines[index]) choose(index);
  }

  /** @param {number} from @param {number} to */
  function look(from, to) {
    const span = Math.min(1, Math.max(SPAN_MIN, to - from));
    view.from = Math.min(Math.max(0, (from + to - span) / 2), 1 - span);
    view.to = view.from + span;
  }

  /** Around a place of the view, given as a share of it. @param {number} factor @param {number} around */
  function zoom(factor, around = 0.5) {
    const span = view.to - view.from;
    const middle = view.from + around * span;
    look(middle - around * span * factor, middle + (1 - around) * span * factor);
    redraw();
  }

  function whole() {
    look(0, 1);
    redraw();
  }

  /** To the two entries that collide; from there to those of the next violation. */
  function jump() {
    if (trial.violations.length === 0) return;
    if (jumped) view.violation = (view.violation + 1) % trial.violations.length;
    jumped = true;
    const pair = trial.violations[view.violation]?.pair ?? [];
    // What no entry proves, the whole trial does.
    const proofs = pair.length > 0 ? pair : [0, trial.gaps_us.length - 1];
    const xs = proofs.map(placing());
    const [from, to] = [Math.min(...xs), Math.max(...xs)];
    const margin = Math.max(0.02, (to - from) * 0.15);
    look(from - margin, to + margin);
    // What is found when all is over has no line of its own.
    choose(trial.lines.findLastIndex((line) => line.told && line.at <= Math.max(...proofs)));
    // Down to what is said of it beneath, unless the drawing itself is out of sight above.
    const end = drawing.getBoundingClientRect().top < 0 ? drawing : byId('step');
    end.scrollIntoView({ block: 'nearest' });
  }

  /** The line or operation under the mouse. @param {MouseEvent} event */
  function under({ clientX, clientY }) {
    const box = shown.element.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const lane = shown.laneAt(x, y);
    const isNear = (/** @type {number} */ at) => Math.abs(shown.x(at) - x) <= NEAR;
    const nearest = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(shown.x(a) - x) - Math.abs(shown.x(b) - x);
    const line = trial.lines
      .filter((line) => line.told && line.lane === lane && isNear(line.at))
      .toSorted((a, b) => nearest(a.at, b.at))[0];
    const operation = trial.operations.filter(([at, of]) => of === lane && isNear(at)).toSorted((a, b) => nearest(a[0], b[0]))[0];
    const span = trial.spans.find((span) => span.lane === lane && lane === -1 && shown.x(span.from) <= x && x <= shown.x(span.to));
    return { x, y, line, operation, span };
  }

  /** @param {MouseEvent} event */
  function point(event) {
    const { x, y, ...found } = under(event);
    const text = tipText(trial, places, shown, x, found);
    tip.hidden = text === '';
    tip.textContent = text;
    tip.style.left = `${Math.min(x + 14, drawing.clientWidth - 260)}px`;
    tip.style.top = `${y + 16}px`;
  }

  /** @type {{ x: number, from: number, to: number, moved: boolean } | null} */
  let drag = null;
  drawing.addEventListener('pointerdown', (event) => {
    drag = { x: event.clientX, from: view.from, to: view.to, moved: false };
  });
  drawing.addEventListener('pointermove', (event) => {
    if (!drag || event.buttons === 0) return point(event);
    const by = ((event.clientX - drag.x) / drawing.clientWidth) * (drag.to - drag.from);
    if (Math.abs(event.clientX - drag.x) < 4 && !drag.moved) return;
    drag.moved = true;
    tip.hidden = true;
    look(drag.from - by, drag.to - by);
    redraw();
  });
  drawing.addEventListener('pointerup', (event) => {
    const { line } = under(event);
    if (drag && !drag.moved && line) choose(trial.lines.indexOf(line));
    drag = null;
  });
  drawing.addEventListener('pointerleave', () => {
    tip.hidden = true;
    drag = null;
  });
  drawing.addEventListener(
    'wheel',
    (event) => {
      // The wheel alone scrolls the page.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = shown.element.getBoundingClientRect();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width);
    },
    { passive: false },
  );
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => choose(0),
    End: () => choose(trial.lines.length - 1),
    '+': () => zoom(0.5),
    '=': () => zoom(0.5),
    '-': () => zoom(2),
    0: whole,
    v: jump,
    V: jump,
  };
  byId('stage').addEventListener('keydown', (event) => {
    const act = keys[event.key];
    const { target } = event;
    // From its buttons too, so that the arrows go on from where one of them led.
    if (target !== drawing && !(target instanceof HTMLButtonElement)) return;
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  byId('jump').addEventListener('click', jump);
  byId('in').addEventListener('click', () => zoom(0.5));
  byId('out').addEventListener('click', () => zoom(2));
  byId('whole').addEventListener('click', whole);
  trueToTime.addEventListener('change', whole);
  select.addEventListener('change', () => open(select.value));
  for (const button of buttons('show')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      open(button.dataset.trial ?? '');
      byId('timeline').scrollIntoView();
      drawing.focus({ preventScroll: true });
    });
  }
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (byId('legend').querySelectorAll('li')))
    item.prepend(sample(item.dataset.sign ?? ''));
  byId('stage').hidden = false;
  new ResizeObserver(redraw).observe(drawing);
  open(trial.id);
}

/** @param {string} name @param {string} text @param {string} [className] */
function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}
