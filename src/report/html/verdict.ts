import { isFailure } from '../../judge/findings.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { count, duration } from '../duration.ts';
import { type Markup, markup } from './markup.ts';
import { ruleOf } from './rule.ts';

export const SIGNS = { pass: '✓', fail: '✕', blind: '◌', void: '–' } as const;

/** The verdict in a word and in a sentence, what it rests on, and the figures that everybody asks for. */
export function verdictSection(run: RunSummary): Markup {
  const { verdict, reasons, notes } = run;
  return markup`<section id="verdict" class="verdict ${verdict}">
<h2><span class="sign" aria-hidden="true">${SIGNS[verdict]}</span> ${verdict.toUpperCase()}</h2>
<p class="lead">${headline(run)}</p>
${brokenBy(run).map((invariant) => ruleOf(invariant))}
${reasons.length > 0 && markup`<h3>Why</h3><ol class="reasons">${reasons.map((reason, i) => markup`<li>${codeIn(reason)}${findingLink(run, i)}</li>`)}</ol>`}
<dl class="figures">${figures(run).map(([name, value, more]) => markup`<div><dt>${name}</dt><dd>${value}<small>${more}</small></dd></div>`)}</dl>
${
  notes.length > 0 &&
  markup`<details><summary>${count(notes.length, 'note')} that ${notes.length === 1 ? 'does' : 'do'} not touch the verdict</summary>
<ul>${notes.map((note) => markup`<li>${note}</li>`)}</ul></details>`
}
</section>`;
}

function headline(run: RunSummary): string {
  const { trials, controls, findings, verdict, campaign } = run;
  const caught = controls.filter(({ met }) => met).length;
  switch (verdict) {
    case 'pass': {
      const known = findings.filter(({ known }) => known).length;
      return [
        known > 0
          ? `Nothing broke in ${count(trials.total, 'trial')} of ${campaign} but ${count(known, 'known defect')}.`
          : `Nothing broke in ${count(trials.total, 'trial')} of ${campaign}.`,
        controls.length > 0
          ? `And it would have been seen: ${controls.length === 1 ? 'the one copy of the program that was broken on purpose was' : `all ${controls.length} copies of the program that were broken on purpose were`} caught.`
          : 'No copy of the program was broken on purpose, so nothing here shows that a fault would have been seen.',
      ].join(' ');
    }
    case 'fail': {
      const broken = brokenBy(run);
      return `${campaign} is broken: ${trials.broken} of ${count(trials.total, 'trial')} broke ${broken.length === 0 ? 'an invariant' : list(broken)}.`;
    }
    case 'blind':
      return `This run can't be trusted: of ${count(controls.length, 'copy', 'copies')} of the program that ${controls.length === 1 ? 'was' : 'were'} broken on purpose, only ${caught} ${caught === 1 ? 'was' : 'were'} caught. What else was not seen, nobody knows.`;
    case 'void':
      return `Too little was hit to say anything: that ${count(trials.held, 'trial')} held proves nothing.`;
  }
}

/** The invariants that the program as it is broke, known defects left out. */
function brokenBy({ findings }: RunSummary): string[] {
  return [...new Set(findings.filter(isFailure).map(({ invariant }) => invariant))];
}

/** The reasons begin with the findings that failed the run, in their order. */
function findingLink({ findings }: RunSummary, reason: number): Markup | null {
  const failure = findings.filter(isFailure)[reason];
  return failure ? markup` <a href="#finding-${findings.indexOf(failure) + 1}">Look at it</a>` : null;
}

function figures(run: RunSummary): [name: string, value: string, more: string][] {
  const { trials, controls, recovery, coverage, driver } = run;
  const { p50, p90, max } = recovery.recoveryMs;
  const { seeds, scenarios } = coverage;
  return [
    [
      'trials',
      trials.total.toLocaleString('en'),
      `${trials.held} held, ${trials.broken} broken, ${trials.void} void; ${count(seeds.count, 'seed')} in ${count(scenarios.covered, 'scenario')}`,
    ],
    [
      'controls caught',
      controls.length === 0 ? 'none tried' : `${controls.filter(({ met }) => met).length} of ${controls.length}`,
      'copies of the program, broken on purpose',
    ],
    ['kills', recovery.kills.toLocaleString('en'), `${count(recovery.leftLockBehind.trials, 'trial')} in which the lock was left behind`],
    [
      'recovery, median',
      duration(p50),
      recovery.kills === 0 ? 'no kill to recover from' : `90 % within ${duration(p90)}, at worst ${duration(max)}`,
    ],
    ...(coverage.failureBound === null
      ? []
      : [
          ['chance that a trial fails', `≤ ${percent(coverage.failureBound)}`, `at 95 % confidence, as none of ${coverage.trials} did`] as [
            string,
            string,
            string,
          ],
        ]),
    [
      'took',
      duration(run.wallMs),
      driver === 'sim' ? `${duration(run.virtualMs)} in simulated time: real programs, virtual clock` : 'real programs on the real clock',
    ],
  ];
}

/** The command that ends a sentence is set as such, so that it can be copied whole. */
function codeIn(text: string): Markup {
  const at = text.lastIndexOf('npx crash-campaign ');
  return at < 0 ? markup`${text}` : markup`${text.slice(0, at)}<code>${text.slice(at)}</code>`;
}

function list(names: string[]): string {
  return names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`;
}
