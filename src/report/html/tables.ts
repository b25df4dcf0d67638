import type { RunSummary } from '../../judge/run-summary.ts';
import { WINDOWS } from '../../plan/plan.ts';
import { count, duration } from '../duration.ts';
import { killsByOperation } from '../terminal/hits.ts';
import { type Markup, markup } from './markup.ts';

/** Scenarios × subjects: verdicts and times. */
export function trialsSection({ scenarios }: RunSummary): Markup {
  const several = new Set(scenarios.map(({ subject }) => subject)).size > 1;
  return markup`<section id="trials">
<h2>Trials</h2>
<p class="about">In each trial a fault plan is drawn from a seed; the program is killed, paused or robbed of its lock as the plan says, and started again until its work is done.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">scenario</th>${several && markup`<th scope="col">subject</th>`}<th scope="col">outcome</th>${['held', 'broken', 'void', 'kills', 'median', '90 %', 'worst'].map((name) => markup`<th scope="col" class="n">${name}</th>`)}</tr></thead>
<tbody>${scenarios.map(
    ({ name, subject, trials, kills, recoveryMs }) => markup`<tr><th scope="row">${name}</th>${several && markup`<td>${subject}</td>`}
<td>${bar(trials)}</td><td class="n">${trials.held}</td><td class="n ${trials.broken > 0 && 'broken'}">${trials.broken}</td><td class="n ${trials.void > 0 && 'void'}">${trials.void}</td>
<td class="n">${kills}</td><td class="n">${duration(recoveryMs.p50)}</td><td class="n">${duration(recoveryMs.p90)}</td><td class="n">${duration(recoveryMs.max)}</td></tr>`,
  )}</tbody></table></div>
</section>`;
}

function bar({ total, held, broken, void: voided }: RunSummary['trials']): Markup {
  const share = (n: number, kind: string) => n > 0 && markup`<i class="${kind}" style="flex-grow:${n}"></i>`;
  return markup`<span class="bar" role="img" aria-label="${held} of ${total} held">${[share(broken, 'broken'), share(voided, 'void'), share(held, 'held')]}</span>`;
}

/** What is broken on purpose, and whether that was seen. */
export function controlsSection({ controls, forged, nullCampaign }: RunSummary): Markup {
  return markup`<section id="controls">
<h2>Controls</h2>
<p class="about">Copies of the program with one safeguard taken out. Each must be caught doing what it is expected to do; otherwise the checks are blind, and a pass means nothing.</p>
${
  controls.length === 0
    ? markup`<p class="none">No control was tried in this run.</p>`
    : markup`<div class="scroll"><table>
<thead><tr><th scope="col">control</th><th scope="col">expected of it</th><th scope="col">caught</th><th scope="col" class="n">in trials</th><th scope="col" class="n">first</th></tr></thead>
<tbody>${controls.map(
        ({ variant, expected, met, caught, trials, firstCatch }) => markup`<tr><th scope="row">${variant}</th><td>${expected}</td>
<td class="${met ? 'held' : 'broken'}">${met ? '✓ yes' : '✕ no'}</td><td class="n">${caught} of ${trials}</td><td class="n">${firstCatch === null ? 'never' : `trial ${firstCatch}`}</td></tr>`,
      )}</tbody></table></div>`
}
<ul class="facts">
<li>${forgedText(forged)}</li>
<li>${nullText(nullCampaign)}</li>
</ul>
</section>`;
}

function forgedText(forged: RunSummary['forged']): Markup {
  if (forged === null) return markup`Forged histories: not tried.`;
  const planted = forged.filter(({ result }) => result !== 'not-plantable');
  const rejected = planted.filter(({ result }) => result === 'rejected').length;
  return markup`Forged histories: a violation was planted into ${count(planted.length, 'real history', 'real histories')}, one for each invariant; <b class="${rejected === planted.length ? 'held' : 'broken'}">${rejected} of ${planted.length}</b> were rejected.`;
}

function nullText(nullCampaign: RunSummary['nullCampaign']): Markup {
  if (nullCampaign === null) return markup`Trials without faults: not tried.`;
  const { trials, hits, broken } = nullCampaign;
  return markup`Trials without faults: of ${trials}, <b class="${broken === 0 && trials > 0 ? 'held' : 'broken'}">${broken}</b> broke, and ${count(hits, 'fault')} landed. Both should be 0.`;
}

/** Scenarios × windows: how many faults landed in each, the more the darker. */
export function hitsSection({ hits }: RunSummary): Markup {
  const most = Math.max(1, ...hits.flatMap(({ windows }) => Object.values(windows)));
  const cell = (n: number) =>
    n === 0
      ? markup`<td class="n hit none">·</td>`
      : markup`<td class="n hit" style="--heat:${Math.round(20 + 80 * Math.sqrt(n / most))}%">${n}</td>`;
  const hit = new Set(hits.flatMap(({ windows }) => Object.keys(windows)));
  const missed = WINDOWS.filter((window) => !hit.has(window));
  return markup`<section id="hits">
<h2>Where faults landed</h2>
<p class="about">What a session was doing when a fault struck it. A window without hits is a window without tests. A fault can fall into several windows at once.${
    missed.length > 0 && markup` <strong>Never hit here: ${missed.join(', ')}.</strong>`
  }</p>
<div class="scroll"><table class="matrix">
<thead><tr><th scope="col">scenario</th>${WINDOWS.map((window) => markup`<th scope="col" class="n">${window}</th>`)}</tr></thead>
<tbody>${hits.map(({ scenario, windows }) => markup`<tr><th scope="row">${scenario}</th>${WINDOWS.map((window) => cell(windows[window] ?? 0))}</tr>`)}</tbody></table></div>
${killedAt(hits)}
</section>`;
}

function killedAt(hits: RunSummary['hits']): Markup {
  const { named, others } = killsByOperation(hits);
  const [first] = named;
  if (!first) return markup``;
  return markup`<h3>Operations at which it was killed</h3>
<table class="ranked"><thead class="aside"><tr><th scope="col">operation</th><th scope="col" class="n">kills</th><th></th></tr></thead>
<tbody>${named.map(
    ([operation, n]) =>
      markup`<tr><th scope="row"><code>${operation}</code></th><td class="n">${n}</td><td><span class="length" style="--length:${Math.round((100 * n) / first[1])}%"></span></td></tr>`,
  )}
${others.kills > 0 && markup`<tr><th scope="row">${count(others.operations, 'other')}</th><td class="n">${others.kills}</td><td></td></tr>`}</tbody></table>`;
}
