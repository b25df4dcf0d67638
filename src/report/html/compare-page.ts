import type { Comparison } from '../../compare/compare.ts';
import type { Side } from '../../compare/pair.ts';
import { marginText } from '../../compare/reasons.ts';
import { count } from '../duration.ts';
import { compareSections } from './compare-sections.ts';
import { type Markup, markup } from './markup.ts';
import { page } from './page.ts';

const SIGNS = { ok: '✓', regressed: '✕', inconclusive: '–' } as const;
const TONES = { ok: 'pass', regressed: 'fail', inconclusive: 'void' } as const;

/** A comparison as one page. */
export function comparePage(comparison: Comparison, sides: { baseline: Side; contender: Side }): string {
  const { campaign, driver, decision, baseline, contender } = comparison;
  return page({
    title: `${SIGNS[decision]} ${campaign}: ${decision}`,
    heading: markup`<h1>${campaign}</h1><p>crash-campaign compare, ${driver === 'sim' ? 'simulated time' : 'real clock'}</p>`,
    sections: [['decision', 'Decision', decisionSection(comparison)], ...compareSections(comparison, sides)],
    footer: markup`${[...new Set([baseline.runDirectory, contender.runDirectory])].map((directory) => markup`<span>records in ${directory}</span> `)}`,
  });
}

function decisionSection(comparison: Comparison): Markup {
  const { decision, reasons, notes } = comparison;
  return markup`<section id="decision" class="verdict ${TONES[decision]}">
<h2><span class="sign" aria-hidden="true">${SIGNS[decision]}</span> ${decision.toUpperCase()}</h2>
<p class="lead">${headline(comparison)}</p>
<h3>Why</h3><ol class="reasons">${reasons.map((reason) => markup`<li>${reason}</li>`)}</ol>
${notes.length > 0 && markup`<ul class="facts">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`}
</section>`;
}

function headline({ decision, baseline, contender, margin, seeds }: Comparison): string {
  const [who, than] = contender.subject === baseline.subject ? ['the second run', 'the first'] : [contender.subject, baseline.subject];
  const from = `on ${count(seeds.timed, 'plan')} that both ran`;
  switch (decision) {
    case 'regressed':
      return `${who} recovers worse than ${than}, by more than the ${marginText(margin)} that is tolerated, ${from}.`;
    case 'ok':
      return `${who} recovers as well as ${than} or better, within the ${marginText(margin)} that is tolerated, ${from}.`;
    case 'inconclusive':
      return `Whether ${who} recovers worse than ${than} can't be told, ${from}.`;
  }
}
