import type { Subject } from '../campaign/campaign.ts';
import { appliesTo } from '../campaign/expand.ts';
import { byId, digestOfTrials } from '../history/digest.ts';
import type { TrialRecord } from '../history/record.ts';
import { noFaults } from '../plan/no-faults.ts';
import { judgeControls } from './controls.ts';
import { coverageOf } from './coverage.ts';
import { determinismOf, doubtsAboutDeterminism } from './determinism.ts';
import { type Doubt, doubtsAboutControls, doubtsAboutParts, doubtsAboutTrials } from './doubts.ts';
import { breaksUnknown, broke, type Finding, findingsOf, isDefect, isFailure, withShrunk } from './findings.ts';
import { DELAY_SHARE_MAX, loadOf } from './loaded.ts';
import type { KnownDefectResult, RunFacts, RunSummary } from './run-summary.ts';
import { counted, hitMatrix, recoveryOf, tally } from './summary.ts';
import { survivalOf } from './survival.ts';
import { takeoversOf } from './takeover.ts';

/** DESIGN 4.4. */
export const EXIT_CODE = { pass: 0, fail: 1, void: 2, blind: 3 } as const;

/**
 * The verdict over a run. Pure.
 *
 * A broken invariant of a kernel as it is weighs most: it is proven, whatever else went wrong. Then comes blindness: who can't see what is broken on purpose has
 * not seen that the rest is whole. Then void: too little was hit. Only a run of which none of this can be said is a pass, so that one without trials never is.
 */
export function judgeRun(ended: TrialRecord[], facts: RunFacts): RunSummary {
  // Not in the order in which they ended, which is another each time.
  const records = ended.toSorted(byId);
  const controlVariants = new Set(facts.variants.filter(({ expect }) => expect).map(({ name }) => name));
  const real = records.filter(({ variant }) => variant === null);
  const controls = judgeControls(facts.variants, records);
  const findings = withShrunk(
    findingsOf(
      records.filter(({ variant }) => variant === null || !controlVariants.has(variant)),
      facts.subjects,
      facts,
    ),
    facts,
  );
  const scenarios = facts.scenarios.flatMap(({ name }) =>
    facts.subjects.flatMap((subject) => {
      if (!appliesTo({ name }, subject)) return [];
      const trials = real.filter((record) => record.scenario === name && record.subject === subject.name);
      return { name, subject: subject.name, trials: tally(trials), ...recoveryOf(trials) };
    }),
  );
  const nullCampaign = facts.nullCampaign && judgeNullCampaign(facts.nullCampaign, facts.subjects);
  const determinism = determinismOf([...records, ...(facts.nullCampaign ?? [])]);
  const total = records.length + (nullCampaign?.trials ?? 0);
  const allDoubts: Doubt[] = [
    ...findings.filter(isFailure).map(failure),
    // A run without any trial is void and not blind: nothing was there to be seen.
    ...(total === 0
      ? []
      : doubtsAboutControls({
          controls,
          forged: facts.forged,
          invariants: facts.invariants,
          nullCampaign,
          hurried: facts.cut === 'time-budget' && real.length === 0,
        })),
    // One broken trial was all that was looked for.
    ...(facts.cut === 'broken' ? [] : doubtsAboutTrials(real, facts)),
    ...doubtsAboutDeterminism(determinism),
    ...doubtsAboutParts(total, facts),
  ];
  const doubts = facts.shard || facts.missing || facts.lost ? allDoubts.filter(({ proven }) => proven) : allDoubts;
  const verdict = (['fail', 'blind', 'void'] as const).find((grave) => doubts.some((doubt) => doubt.verdict === grave)) ?? 'pass';
  const knownDefects = knownDefectsOf(real, facts);
  const loaded = loadOf(counted(real));
  return {
    schema: 'crash-campaign/run@1',
    campaign: facts.campaign,
    driver: facts.driver,
    verdict,
    exitCode: EXIT_CODE[verdict],
    reasons: (['fail', 'blind', 'void'] as const).flatMap((grave) =>
      doubts.filter((doubt) => doubt.verdict === grave).map(({ why }) => why),
    ),
    notes: [...notesOf(facts, knownDefects), ...noteOfLoad(loaded, counted(real).length)],
    trials: tally(real),
    scenarios,
    survival: survivalOf(real, facts),
    takeovers: takeoversOf(real, facts),
    loaded,
    recovery: recoveryOf(real),
    hits: hitMatrix(
      facts.scenarios.map(({ name }) => name),
      real,
    ),
    controls,
    forged: facts.forged,
    nullCampaign,
    findings,
    knownDefects,
    coverage: coverageOf(real, facts),
    determinism,
    digest: digestOfTrials(records),
    wallMs: facts.wallMs,
    virtualMs: Math.round(records.reduce((sum, { duration_ms }) => sum + duration_ms, 0)),
    runDirectory: facts.runDirectory,
  };
}

function failure(finding: Finding): Doubt {
  return {
    verdict: 'fail',
    why: `${broke(finding)}: ${finding.message}. See it again: ${finding.replay} --timeline`,
    proven: true,
  };
}

function noteOfLoad(loaded: RunSummary['loaded'], trials: number): string[] {
  if (!loaded) return [];
  const share = `more than ${DELAY_SHARE_MAX * 100} % of a lease`;
  return [
    `${loaded.trials} of ${trials} trials were measured on a machine that was too busy: up to ${loaded.delayMs} ms of a recovery, ${share}, was waiting for a processor. ` +
      'Their times count above and not in `compare`: take fewer --workers, or a quieter machine',
  ];
}

function judgeNullCampaign(records: TrialRecord[], subjects: Subject[]) {
  const hits = records.reduce((sum, { hits, kills }) => sum + kills.length + Object.values(hits).reduce((a, b) => a + b, 0), 0);
  return { trials: records.length, hits, broken: records.filter((record) => breaksUnknown(record, subjects)).length };
}

function knownDefectsOf(real: TrialRecord[], { subjects }: RunFacts): KnownDefectResult[] {
  return subjects.flatMap(({ name: subject, knownDefects = [] }) =>
    knownDefects.map((defect) => {
      const { invariant, scenario = null, site = null, source } = defect;
      const isIt = (record: TrialRecord) =>
        record.subject === subject && record.violations.some((violation) => isDefect(defect, record, violation));
      return { subject, invariant, scenario, site, source, trials: counted(real).filter(isIt).length };
    }),
  );
}

function notesOf(
  { leftOut = [], scenarios, forged, nullCampaign, cut, untried = [], unasked = [], shard, overlap }: RunFacts,
  knownDefects: KnownDefectResult[],
): string[] {
  // A golden run that does not hold is all that there is.
  const goesOn = cut !== 'broken' && scenarios.some(({ name }) => name !== noFaults.name);
  const unplanted = (forged ?? []).filter(({ result }) => result === 'not-plantable').map(({ invariant }) => invariant);
  return [
    ...(shard ? [`shard ${shard.index} of ${shard.of}: controls, quotas and void trials are judged when the shards are merged`] : []),
    ...(overlap ? [`${overlap} trials were in more than one of the merged runs`] : []),
    ...leftOut.map(({ name, drivers }) => `${name} was left out: only the ${drivers.join(' or ')} driver can do what it plans`),
    ...knownDefects
      .filter(({ trials, scenario }) => trials === 0 && (scenario === null || scenarios.some(({ name }) => name === scenario)))
      .map(
        ({ subject, invariant, scenario, site, source }) =>
          `the known defect of ${subject}, ${invariant}${scenario === null ? '' : ` in ${scenario}`}${site === null ? '' : `, ${site}`} (${source}), was not reproduced: if it is mended, take it out of knownDefects`,
      ),
    ...(unplanted.length > 0
      ? [`no history of this run had a place for a forged violation of ${unplanted.join(', ')}: not tried by forging`]
      : []),
    ...(untried.length > 0 ? [`not tried in these scenarios: ${untried.join(', ')}`] : []),
    ...(goesOn && unasked.length > 0 ? [`controls that were left out: ${unasked.join(', ')}`] : []),
    ...(cut === 'broken' && forged === null ? ['the controls were not run, as the run stopped at its first broken trial'] : []),
    ...(goesOn && forged === null ? ['forged histories were switched off'] : []),
    ...(goesOn && nullCampaign === null ? ['the null campaign was switched off'] : []),
  ];
}
