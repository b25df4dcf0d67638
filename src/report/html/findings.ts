import { type Finding, isFailure } from '../../judge/findings.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { count } from '../duration.ts';
import { type Markup, markup } from './markup.ts';
import { ruleOf } from './rule.ts';

/** A finding, and the trial whose timeline shows it, if one is on the page. */
export interface ShownFinding {
  finding: Finding;
  timeline: { id: string; story: string[] } | null;
}

/** Each group of broken trials: what broke, the smallest plan that shows it, and the command that shows it again. */
export function findingsSection({ trials }: RunSummary, shown: ShownFinding[]): Markup {
  return markup`<section id="findings">
<h2>Findings</h2>
${
  shown.length === 0
    ? markup`<p class="none">${trials.total === 0 ? 'There were no trials.' : 'No trial broke an invariant.'}</p>`
    : markup`<p class="about">Broken trials that have in common what broke and what it was about, each with its simplest example.</p>
${shown.map(card)}`
}
</section>`;
}

function card({ finding, timeline }: ShownFinding, index: number): Markup {
  const { invariant, known, source, subject, variant, trials, message, site, plan, scenario, seed, shrunk, replay } = finding;
  const story = shrunk?.story ?? timeline?.story ?? [];
  const isNew = isFailure(finding);
  return markup`<article class="finding ${!isNew && 'aside'}" id="finding-${index + 1}">
<h3><span class="tag">${isNew ? 'broken' : known ? 'known' : 'in a variant'}</span> ${invariant}</h3>
${ruleOf(invariant)}
<p class="who">by ${subject}${variant !== null && markup`, variant ${variant}`}, in ${count(trials, 'trial')}</p>
<p class="message">Here: ${message}</p>
<dl class="facts">
${site !== null && fact('site', site)}
${source !== null && fact('source', source)}
${fact('plan', markup`<code>${plan}</code>${shrunk !== null && markup` <small>${shrunk.minimal ? 'nothing simpler breaks it' : 'made smaller'}, after ${count(shrunk.tried, 'try', 'tries')}</small>`}`)}
${shrunk !== null && fact('drawn as', markup`<code>${shrunk.from}</code>`)}
${fact('trial', `${scenario}, seed ${seed}`)}
${fact('see it again', markup`<code class="command">${replay}</code> <button type="button" class="copy" hidden>Copy</button>`)}
</dl>
${
  story.length > 0 &&
  markup`<details ${index === 0 && isNew && { markup: 'open' }}><summary>What happens, in words</summary><ol class="story">${story.map((sentence) => markup`<li>${sentence}</li>`)}</ol></details>`
}
${timeline !== null && markup`<p><button type="button" class="show" data-trial="${timeline.id}" hidden>Show its timeline</button></p>`}
</article>`;
}

function fact(name: string, value: Markup | string): Markup {
  return markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}
