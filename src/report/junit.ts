import { XMLBuilder } from 'fast-xml-parser';
import type { Comparison } from '../compare/compare.ts';
import type { Gate } from '../gate/gate.ts';
import type { TrialRecord } from '../history/record.ts';
import type { ControlResult } from '../judge/controls.ts';
import { VOID_SHARE_MAX } from '../judge/doubts.ts';
import type { Finding } from '../judge/findings.ts';
import type { RunSummary, ScenarioSummary } from '../judge/run-summary.ts';
import { comparisonsOf, type Result } from './result.ts';

interface Case {
  classname: string;
  name: string;
  seconds: number;
  /** `failure`: it is wrong. `error`: nobody can tell. Null: it is right. */
  bad: { is: 'failure' | 'error'; type: string; message: string; text: string } | null;
  /** What is known beside it. */
  out?: string;
}

interface Suite {
  name: string;
  cases: Case[];
}

/**
 * JUnit XML: a test case for each scenario and subject, for each control, for each question of a comparison, and one for the verdict, so that the
 * file is never green when the exit code is not.
 */
export function junit(result: Result): string {
  const suites = suitesOf(result);
  const all = suites.flatMap(({ cases }) => cases);
  const xml = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true, suppressEmptyNode: true }).build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: { '@name': 'crash-campaign', ...counts(all), testsuite: suites.map(suiteElement) },
  });
  return xml.endsWith('\n') ? xml : `${xml}\n`;
}

function suitesOf(result: Result): Suite[] {
  switch (result.of) {
    case 'run':
      return [runSuite(result.summary, result.records), verdictSuite(result.summary)];
    case 'compare':
      return [compareSuite(result.comparison)];
    case 'gate':
      return [runSuite(result.gate.run, result.records), ...comparisonsOf(result.gate).map(compareSuite), verdictSuite(result.gate)];
  }
}

function runSuite(run: RunSummary, records: TrialRecord[]): Suite {
  const seconds = (is: (record: TrialRecord) => boolean) => records.filter(is).reduce((sum, { wall_ms }) => sum + wall_ms, 0) / 1000;
  const kernels = run.scenarios.map((scenario) => ({
    classname: `${run.campaign}.${scenario.subject}`,
    name: scenario.name,
    seconds: seconds((record) => record.variant === null && record.scenario === scenario.name && record.subject === scenario.subject),
    ...scenarioOutcome(scenario, run.findings),
  }));
  const controls = run.controls.map((control) => ({
    classname: `${run.campaign}.controls`,
    name: `${control.variant} ${control.expected}`,
    seconds: seconds(({ variant }) => variant === control.variant),
    bad: controlFailure(control),
  }));
  return { name: `${run.campaign} under ${run.driver}`, cases: [...kernels, ...controls] };
}

function scenarioOutcome({ name, subject, trials }: ScenarioSummary, findings: Finding[]): Pick<Case, 'bad' | 'out'> {
  const own = findings.filter(
    (finding) => finding.variant === null && finding.subject === subject && finding.scenarios.some((scenario) => scenario.name === name),
  );
  const [unknown, known] = [false, true].map((is) => own.filter((finding) => finding.known === is)) as [Finding[], Finding[]];
  const out = `${trials.total} trials: ${trials.held} held, ${trials.broken} broken, ${trials.void} void`;
  const said = [out, ...known.map(({ invariant, source }) => `known: ${invariant}, ${source}`)].join('\n');
  const [first] = unknown;
  if (first) {
    const message = unknown.map((finding) => `${finding.invariant}: ${finding.message}`).join('; ');
    return { bad: { is: 'failure', type: first.invariant, message, text: unknown.map(findingText).join('\n\n') }, out: said };
  }
  if (trials.total === 0 || trials.void > trials.total * VOID_SHARE_MAX)
    return { bad: { is: 'error', type: 'void', message: `${trials.void} of ${trials.total} trials were void`, text: out }, out: said };
  return { bad: null, out: said };
}

function findingText({ invariant, message, plan, replay, trials }: Finding): string {
  return [`${invariant} in ${trials} trials`, message, `plan: ${plan}`, `replay: ${replay}`].join('\n');
}

function controlFailure({ met, caught, trials, expected, ...control }: ControlResult): Case['bad'] {
  if (met) return null;
  const message = `caught ${caught} of ${trials} times: ${expected}`;
  const isUntried = trials === 0 || control.void > trials * VOID_SHARE_MAX;
  return isUntried
    ? { is: 'error', type: 'void', message, text: `${control.void} of its trials were void: it was hardly tried` }
    : { is: 'failure', type: 'blind', message, text: 'the checker, or the scenario, does not see what is broken on purpose' };
}

const WORST = { regressed: 'failure', inconclusive: 'error' } as const;

function compareSuite({ campaign, baseline, contender, decision, reasons, questions, rmstMs }: Comparison): Suite {
  const named = { classname: `${campaign}.compare.${contender.subject}`, seconds: 0 };
  const bad = (decided: Comparison['decision'] | null, message: string, text = ''): Case['bad'] =>
    decided === null || decided === 'ok' ? null : { is: WORST[decided], type: decided, message, text };
  return {
    name: `${campaign}: ${baseline.subject} → ${contender.subject}`,
    cases: [
      ...questions.map(({ name, decision, estimate, lower, upper, change }) => ({
        ...named,
        name,
        bad: bad(decision, `${change} changed by ${estimate} (${lower ?? '-∞'} … ${upper ?? '∞'})`),
      })),
      ...(rmstMs === null ? [] : [{ ...named, name: 'mean-recovery', bad: bad(rmstMs.decision, `changed by ${rmstMs.difference} ms`) }]),
      { ...named, name: 'decision', bad: bad(decision, `${decision}: ${reasons.join('; ')}`, reasons.join('\n')) },
    ],
  };
}

function verdictSuite({ campaign, verdict, reasons }: Pick<Gate | RunSummary, 'campaign' | 'verdict' | 'reasons'>): Suite {
  const is = verdict === 'fail' || verdict === 'blind' ? 'failure' : 'error';
  const bad =
    verdict === 'pass' ? null : ({ is, type: verdict, message: `${verdict}: ${reasons[0] ?? ''}`, text: reasons.join('\n') } as const);
  return { name: 'verdict', cases: [{ classname: campaign, name: 'verdict', seconds: 0, bad }] };
}

function suiteElement({ name, cases }: Suite) {
  return { '@name': clean(name), ...counts(cases), testcase: cases.map(caseElement) };
}

function caseElement({ classname, name, seconds, bad, out }: Case) {
  return {
    '@classname': clean(classname),
    '@name': clean(name),
    '@time': seconds.toFixed(3),
    ...(bad && { [bad.is]: { '@type': clean(bad.type), '@message': clean(bad.message), '#text': clean(bad.text) } }),
    ...(out !== undefined && { 'system-out': clean(out) }),
  };
}

function counts(cases: Case[]) {
  const count = (is: 'failure' | 'error') => cases.filter(({ bad }) => bad?.is === is).length;
  const seconds = cases.reduce((sum, { seconds }) => sum + seconds, 0);
  return { '@tests': cases.length, '@failures': count('failure'), '@errors': count('error'), '@skipped': 0, '@time': seconds.toFixed(3) };
}

/** XML 1.0 has no way to write the others. */
function clean(text: string): string {
  const isWritable = (code: number) =>
    [0x9, 0xa, 0xd].includes(code) || (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || code >= 0x1_0000;
  return [...text].map((character) => (isWritable(character.codePointAt(0) as number) ? character : '\ufffd')).join('');
}
