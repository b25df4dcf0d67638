import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { Comparison } from '../../compare/compare.ts';
import type { Outcome } from '../../compare/outcome.ts';
import { type Pair, pairUp, type Side } from '../../compare/pair.ts';
import type { Shift } from '../../stats/shift-function.ts';
import { count, duration } from '../duration.ts';
import { at, sideAxis, tickText, timeAxis, timeScale } from './axis.ts';
import { figure, PLOT } from './chart.ts';
import { CURVE, curve, shareAxis } from './curve.ts';
import { type Markup, markup } from './markup.ts';
import { sampled } from './recovery-times.ts';

/** How the recovery times of two sides lie to each other: as wholes, decile by decile, and seed by seed. */
export function compareFigures(comparison: Comparison, sides: { baseline: Side; contender: Side } | null): Markup {
  return markup`${sides && curvesFigure(comparison, sides)}
${comparison.shifts.length > 0 && shiftFigure(comparison.shifts)}
${sides && slopesFigure(sides)}`;
}

function curvesFigure({ baseline, contender }: Comparison, sides: { baseline: Side; contender: Side }): Markup {
  const samples = [sides.baseline, sides.contender].map(({ outcomes }) => outcomes.flatMap(timeOf));
  const longest = samples.flat().reduce((max, { time }) => Math.max(max, time), 0);
  if (longest === 0) return markup``;
  const scale = timeScale(longest, PLOT);
  const [before = [], after = []] = samples;
  return figure(
    markup`<b>Recovered by then</b>: <b class="behind">${baseline.subject}</b>, the baseline (${count(before.length, 'trial')}); <b class="clean">${contender.subject}</b>, the contender (${count(after.length, 'trial')}), dashed. The further to the left, the faster.`,
    'Shares of trials that had recovered by each time',
    CURVE + 40,
    markup`${timeAxis(scale, CURVE, CURVE)}${shareAxis()}${curve('behind', before, scale.x)}${curve('clean', after, scale.x)}`,
  );
}

/** A trial with a kill to recover from, as a time. */
function timeOf({ verdict, kills, recoveryMs, censoredMs }: Outcome) {
  if (verdict === 'void' || kills === 0) return [];
  return recoveryMs === null ? [{ time: censoredMs ?? 0, observed: false }] : [{ time: recoveryMs, observed: true }];
}

const SHIFT = 190;

/** The shift function: what each decile gained or lost, with its interval. */
function shiftFigure(shifts: Shift[]): Markup {
  const known = shifts.filter((shift): shift is Shift & { shift: number } => shift.shift !== null);
  const [most, least] = [
    Math.max(0, ...known.map(({ shift, upper }) => upper ?? shift)),
    Math.min(0, ...known.map(({ shift, lower }) => lower ?? shift)),
  ];
  const room = Math.max(1, (most - least) * 0.08);
  const y = scaleLinear([least - room, most + room], [SHIFT - 10, 10]);
  const x = (p: number) => at(((p - 0.05) / 0.9) * PLOT);
  const path = line<(typeof known)[number]>(
    ({ p }) => x(p),
    ({ shift }) => at(y(shift)),
  );
  const signed = (ms: number) => (ms > 0 ? `+${duration(ms)}` : ms === 0 ? '0' : `−${duration(-ms)}`);
  return figure(
    markup`<b>Shift by decile</b>: how much longer (up) or shorter (down) the contender takes at each decile of the recovery times, with 95 % intervals where there is data enough`,
    'Shift of each decile',
    SHIFT + 34,
    markup`${sideAxis(y.ticks(5), y, signed)}
<line class="zero" x1="0" x2="${PLOT}" y1="${at(y(0))}" y2="${at(y(0))}"/>
<g class="axis">${shifts.map(({ p }) => markup`<text x="${x(p)}" y="${SHIFT + 16}">p${Math.round(p * 100)}</text>`)}</g>
<g class="shift">${known.map(({ p, lower, upper }) => lower !== null && upper !== null && markup`<line x1="${x(p)}" x2="${x(p)}" y1="${at(y(lower))}" y2="${at(y(upper))}"/>`)}
<path d="${path(known)}"/>${known.map(({ p, shift }) => markup`<circle cx="${x(p)}" cy="${at(y(shift))}" r="4"><title>p${Math.round(p * 100)}: ${signed(shift)}</title></circle>`)}</g>`,
  );
}

const SLOPE = 260;
/** So many lines can be told apart. */
const MOST_SLOPES = 400;

/** One line for each seed, from what the baseline took to what the contender took on the same plan. */
function slopesFigure(sides: { baseline: Side; contender: Side }): Markup {
  const pairs = pairUp(sides.baseline, sides.contender).flatMap((pair) => {
    const [before, after] = [timeOf(pair.baseline)[0], timeOf(pair.contender)[0]];
    return before && after ? [{ pair, before: before.time, after: after.time }] : [];
  });
  const longest = pairs.reduce((max, { before, after }) => Math.max(max, before, after), 0);
  if (longest === 0) return markup``;
  const { x: time, ticks } = timeScale(longest, 4 * 90);
  const y = (ms: number) => at(SLOPE - 10 - (time(ms) / time(ticks.at(-1) as number)) * (SLOPE - 20));
  const [from, to] = [PLOT * 0.12, PLOT * 0.88];
  const shown = sampled(pairs, MOST_SLOPES);
  const slower = pairs.filter(({ before, after }) => after > before).length;
  const faster = pairs.filter(({ before, after }) => after < before).length;
  return figure(
    markup`<b>Seed by seed</b>: each line is one plan, from what the baseline took to what the contender took; <b class="broken">${slower} slower</b>, <b class="held">${faster} faster</b> (dashed), ${pairs.length - slower - faster} the same${shown.length < pairs.length && `. A sample of ${shown.length} is drawn`}`,
    'Recovery time of each seed on both sides',
    SLOPE + 34,
    markup`${sideAxis(ticks, y, tickText)}
<g class="axis"><text x="${at(from)}" y="${SLOPE + 16}">baseline</text><text x="${at(to)}" y="${SLOPE + 16}">contender</text></g>
<g class="slopes">${shown.map(
      ({ pair, before, after }) =>
        markup`<line class="${after > before ? 'slower' : after < before ? 'faster' : 'same'}" x1="${at(from)}" y1="${y(before)}" x2="${at(to)}" y2="${y(after)}"><title>${titleOf(pair)}</title></line>`,
    )}</g>`,
  );
}

function titleOf({ baseline, contender }: Pair): string {
  const text = ({ recoveryMs, censoredMs }: Outcome) => (recoveryMs === null ? `more than ${duration(censoredMs)}` : duration(recoveryMs));
  return `${baseline.scenario}, seed ${baseline.seed}: ${text(baseline)} → ${text(contender)}`;
}
