import type { Comparison } from '../../compare/compare.ts';
import type { Side } from '../../compare/pair.ts';
import { count, duration } from '../duration.ts';
import { plain } from '../paint.ts';
import type { Grid } from '../table.ts';
import { costGrid } from '../terminal/compare-exact.ts';
import { meansGrid, meansMethod, questionsGrid, shiftsGrid } from '../terminal/compare-questions.ts';
import { attritionGrid, mechanismGrid } from '../terminal/compare-trials.ts';
import { compareFigures } from './compare-figures.ts';
import { type Markup, markup } from './markup.ts';
import type { Section } from './page.ts';

/** What a comparison shows, in the order in which it is to be read: who fell out, what recovered how, the pictures, the questions, and seed by seed. */
export function compareSections(comparison: Comparison, sides: { baseline: Side; contender: Side } | null, id = 'compare'): Section[] {
  const { rmstMs, cost, shifts, questions, baseline, contender } = comparison;
  const mechanism = mechanismGrid(comparison);
  const name = `${baseline.subject} → ${contender.subject}`;
  return [
    [
      `${id}-trials`,
      'Who is compared',
      markup`<section id="${id}-trials"><h2>Who is compared</h2>
<p class="about">${name}. Trials that both sides ran on the same plans, and how many are left at each stage. Sides that lost different trials can't be compared.</p>
${tableOf(attritionGrid(comparison))}
${mechanism && markup`<h3>By what the kill left behind</h3>${tableOf(mechanism)}`}</section>`,
    ],
    [
      `${id}-times`,
      'Recovery times',
      markup`<section id="${id}-times"><h2>Recovery times</h2>
${compareFigures(comparison, sides)}
${shifts.length > 0 && markup`<details><summary>The deciles as a table</summary>${tableOf(shiftsGrid(comparison))}</details>`}</section>`,
    ],
    [
      `${id}-questions`,
      'Questions',
      markup`<section id="${id}-questions"><h2>Questions</h2>
<p class="about">Decisions are made by intervals against what is tolerated; p-values are printed and never decided on. ~ cannot be told from no change, ∞ too few pairs for an end.</p>
${questions.length > 0 ? tableOf(questionsGrid(comparison, plain)) : markup`<p class="none">There was too little to ask anything of.</p>`}
${rmstMs && markup`<h3>Mean recovery</h3>${tableOf(meansGrid(rmstMs, plain))}<p><small>${meansMethod(rmstMs)}</small></p>`}</section>`,
    ],
    ...(comparison.seeds.exact === null ? [] : [seedsSection(comparison, id)]),
    ...(cost === null
      ? []
      : [
          [
            `${id}-cost`,
            'Cost',
            markup`<section id="${id}-cost"><h2>Cost</h2><p class="about">Operations on the state directory that the same work takes, baseline → contender.</p>${tableOf(costGrid(cost))}</section>`,
          ] satisfies Section,
        ]),
  ];
}

function seedsSection({ seeds: { exact }, baseline, contender }: Comparison, id: string): Section {
  const time = (ms: number | null) => (ms === null ? 'never' : duration(ms));
  const isOneCommand = baseline.subject === contender.subject;
  return [
    `${id}-seeds`,
    'Seeds',
    markup`<section id="${id}-seeds"><h2>Seeds that changed most</h2>
<p class="about">Simulated times carry no noise: ${count(exact?.same ?? 0, 'seed')} took the same to the microsecond, ${exact?.slower} longer, ${exact?.faster} less.</p>
${exact?.changedMost.map(
  ({
    scenario,
    seed,
    plan,
    baselineMs,
    contenderMs,
    replay,
  }) => markup`<article class="finding aside"><h3>${scenario}, seed ${seed}: ${time(baselineMs)} → ${time(contenderMs)}</h3>
<dl class="facts"><div><dt>plan</dt><dd><code>${plan}</code></dd></div>
<div><dt>${isOneCommand ? 'see it again' : 'baseline'}</dt><dd><code>${replay.baseline}</code></dd></div>
${!isOneCommand && markup`<div><dt>contender</dt><dd><code>${replay.contender}</code></dd></div>`}</dl></article>`,
)}</section>`,
  ];
}

function tableOf({ columns, rows }: Grid): Markup {
  const alignment = columns.map(({ align }) => (align === 'right' ? 'n' : ''));
  return markup`<div class="scroll"><table><thead><tr>${columns.map(({ name }, i) => markup`<th scope="col" class="${alignment[i]}">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${row.map((cell, i) => markup`<td class="${alignment[i]}${cell === 'regressed' && ' broken'}">${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
