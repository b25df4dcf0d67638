import type { TrialRecord } from '../../history/record.ts';
import { count, duration } from '../duration.ts';
import { at, timeAxis, timeScale } from './axis.ts';
import { figure, PLOT } from './chart.ts';
import { CURVE, curve, shareAxis } from './curve.ts';
import { type Markup, markup } from './markup.ts';
import { type RecoveryTime, recoveryTimes, sampled } from './recovery-times.ts';

const ROW = 34;
/** So many dots are drawn of each row. The curves are made of all. */
const MOST_DOTS = 600;

const GROUPS = [
  { leftBehind: true, name: 'lock left behind', kind: 'behind' },
  { leftBehind: false, name: 'lock not held', kind: 'clean' },
] as const;

/** How long each subject took to recover: the share that had by each time, and every kill as a dot. */
export function recoverySection(records: TrialRecord[]): Markup {
  const times = recoveryTimes(records);
  const all = [...times.values()].flat();
  const longest = all.reduce((max, { time }) => Math.max(max, time), 0);
  return markup`<section id="recovery">
<h2>Recovery</h2>
<p class="about">From a kill until a successor has written something new. A session that was killed <b class="behind">while it held the lock</b> leaves the lock behind, and its successor must wait for the lease to run out;
<b class="clean">one that did not hold it</b> adds no wait of its own, though a lock that was left behind before it may still stand.</p>
${all.length === 0 ? markup`<p class="none">No session was killed, so there was nothing to recover from.</p>` : [...times].map(([subject, own]) => subjectFigure(subject, own, longest))}
</section>`;
}

function subjectFigure(subject: string, times: RecoveryTime[], longest: number): Markup {
  const scale = timeScale(longest, PLOT);
  const groups = GROUPS.map((group) => ({ ...group, times: times.filter(({ leftBehind }) => leftBehind === group.leftBehind) })).filter(
    (group) => group.times.length > 0,
  );
  const strips = CURVE + 16;
  const bottom = strips + groups.length * ROW + 4;
  const floor = times.reduce((max, { floor }) => Math.max(max, floor), 0);
  const censored = times.filter(({ observed }) => !observed).length;
  const left = groups.map((group) => ({ ...group, shown: sampled(group.times, MOST_DOTS) }));
  const dots = left.reduce((sum, { shown }) => sum + shown.length, 0);
  return figure(
    markup`<b>${subject}</b> ${count(times.length, 'kill')}${censored > 0 && `, ${censored} of which nobody was seen to recover from (▷: longer than this)`}${
      dots < times.length && `. Of the dots a sample of ${dots.toLocaleString('en')} is drawn; the curves are of all`
    }`,
    summaryOf(subject, groups),
    bottom + 30,
    markup`${timeAxis(scale, bottom, bottom)}
${floor > 0 && floorLine(scale.x(floor), floor, bottom)}
${shareAxis()}
${groups.map(({ kind, times }) => curve(kind, times, scale.x))}
${left.map((group, row) => strip(group, strips + row * ROW, scale.x))}`,
  );
}

/** The longest time that was spent waiting for a dead holder's lease. What lies to its right is the program's own doing. */
function floorLine(x: number, floor_ms: number, height: number): Markup {
  return markup`<rect class="floor" x="0" y="0" width="${at(x)}" height="${height}"/><line class="floor" x1="${at(x)}" x2="${at(x)}" y1="-6" y2="${height}"/>
<text class="floor" x="${at(x) + 5}" y="2">longest wait for a dead lease (TTL floor): ${duration(floor_ms)}</text>`;
}

function strip(
  { kind, name, times, shown }: { kind: string; name: string; times: RecoveryTime[]; shown: RecoveryTime[] },
  top: number,
  x: (ms: number) => number,
): Markup {
  // Dots are spread over the height of the row by the golden ratio, which keeps neighbours apart without chance.
  const height = (i: number) => at(top + 5 + ((i * 0.618034) % 1) * (ROW - 12));
  return markup`<g class="strip ${kind}"><text x="-10" y="${top + ROW / 2 - 2}">${name}</text><text class="aside" x="-10" y="${top + ROW / 2 + 11}">${count(times.length, 'kill')}</text>${shown.map(
    ({ time, observed, scenario, seed }, i) => {
      const title = markup`<title>${scenario}, seed ${seed}: ${observed ? '' : 'more than '}${duration(time)}</title>`;
      return observed
        ? markup`<circle cx="${at(x(time))}" cy="${height(i)}" r="3">${title}</circle>`
        : markup`<path class="censored" d="M${at(x(time))},${height(i) - 4.5}l7,4.5l-7,4.5z">${title}</path>`;
    },
  )}</g>`;
}

function summaryOf(subject: string, groups: { name: string; times: RecoveryTime[] }[]): string {
  const parts = groups.map(({ name, times }) => {
    const sorted = times.map(({ time }) => time).toSorted((a, b) => a - b);
    return `${name}: ${count(times.length, 'kill')}, ${duration(sorted[0] ?? null)} to ${duration(sorted.at(-1) ?? null)}`;
  });
  return `Recovery times of ${subject}. ${parts.join('; ')}`;
}
