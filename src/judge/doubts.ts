import { appliesTo } from '../campaign/expand.ts';
import type { TrialRecord } from '../history/record.ts';
import { noFaults } from '../plan/no-faults.ts';
import type { Window } from '../plan/plan.ts';
import { hadEffect } from './landed.ts';
import type { RunFacts, RunSummary } from './run-summary.ts';
import { counted, kills, tally } from './summary.ts';

/** A reason why a run is no pass, in one line, with what to do. */
export interface Doubt {
  verdict: 'fail' | 'blind' | 'void';
  why: string;
  /** No further trial could take it back: so it is held against a part of a run too. */
  proven?: true;
}

/** Of a scenario's trials no more than this share may be void. */
export const VOID_SHARE_MAX = 0.1;

/**
 * Whether what is broken on purpose was seen to be broken. A control that was not caught and too many of whose trials were void was not tried:
 * that is no blindness, but too few hits. Nor were those tried that come first and used all the time up, when the run is `hurried`.
 */
export function doubtsAboutControls({
  controls,
  forged,
  invariants,
  nullCampaign,
  hurried,
}: Pick<RunSummary, 'controls' | 'forged' | 'nullCampaign'> & { invariants: string[]; hurried: boolean }): Doubt[] {
  const doubts: Doubt[] = [];
  for (const { variant, expected, met, caught, trials, ...control } of controls) {
    if (met) continue;
    const isUntried = hurried || trials === 0 || control.void > trials * VOID_SHARE_MAX;
    const remedy = hurried
      ? 'the time was used up among the controls'
      : isUntried
        ? `${control.void} of its ${trials} trials were void, so it was hardly tried: see why they are void`
        : 'see whether the checker still checks, and whether a scenario brings it about; give it more trials if it is rare';
    doubts.push({
      verdict: isUntried ? 'void' : 'blind',
      why: `control ${variant} (${expected}) was caught ${caught} of ${trials} times: ${remedy}`,
    });
  }
  const tried = new Map(forged?.map(({ invariant, result }) => [invariant, result]));
  for (const invariant of forged ? invariants : []) {
    if (tried.get(invariant) === 'accepted')
      doubts.push({
        verdict: 'blind',
        why: `${invariant} accepted a history into which a violation of it had been planted: its checker does not check`,
        proven: true,
      });
    else if (!tried.has(invariant))
      doubts.push({
        verdict: 'blind',
        why: `${invariant} was not tried with a forged history, though it is judged: try it or leave it out`,
      });
  }
  if (forged && controls.length === 0 && !forged.some(({ result }) => result === 'rejected'))
    doubts.push({
      verdict: 'blind',
      why: 'nothing that is broken on purpose was tried: no variant has an expectation, and no history had a place for a forged violation. Give the campaign a variant that must be caught',
    });
  if (nullCampaign?.trials === 0 && !hurried)
    doubts.push({ verdict: 'blind', why: 'the null campaign has no trials: run it, or switch it off by name' });
  if (nullCampaign && nullCampaign.broken > 0)
    doubts.push({
      verdict: 'blind',
      why: `${nullCampaign.broken} of ${nullCampaign.trials} trials without any fault broke an invariant: the kernel or the checker is wrong before any crash; mend that first`,
      proven: true,
    });
  if (nullCampaign && nullCampaign.hits > 0)
    doubts.push({
      verdict: 'blind',
      why: `the null campaign counted ${nullCampaign.hits} hits where there was no fault: the window account is wrong`,
      proven: true,
    });
  return doubts;
}

/** Whether enough was hit for holding to mean something. */
export function doubtsAboutTrials(
  real: TrialRecord[],
  { scenarios, subjects, cut }: Pick<RunFacts, 'scenarios' | 'subjects' | 'cut'>,
): Doubt[] {
  const giveMore = cut === 'time-budget' ? 'give it a longer --time-budget, or fewer scenarios and controls' : null;
  if (real.length === 0) return [{ verdict: 'void', why: `no trial was run: ${giveMore ?? 'choose seeds and scenarios that exist'}` }];
  const reasons: string[] = [];
  // The golden run is judged alone when it can't be built on.
  const isGolden = scenarios.every(({ name }) => name === noFaults.name);
  if (real.every(({ events }) => events === 0))
    reasons.push(
      `${isGolden ? 'the golden run saw no durable event' : 'no durable event was seen in any trial'}: see whether the campaign’s reader finds what the kernel writes`,
    );
  for (const { name, quotas = {} } of scenarios) {
    for (const { name: subject } of subjects.filter((subject) => appliesTo({ name }, subject))) {
      const trials = real.filter((record) => record.scenario === name && record.subject === subject);
      const where = subjects.length > 1 ? `${name} of ${subject}` : name;
      reasons.push(...emptiness(trials, where, giveMore), ...missedQuotas(trials, where, quotas));
    }
  }
  return reasons.map((why) => ({ verdict: 'void', why }));
}

function emptiness(trials: TrialRecord[], where: string, giveMore: string | null): string[] {
  if (trials.length === 0) return [`${where} has no trials: ${giveMore ?? 'give it seeds'}`];
  const { total, void: voided } = tally(trials);
  const reasons = [];
  if (voided > total * VOID_SHARE_MAX)
    reasons.push(`${voided} of ${total} trials of ${where} are void (${commonest(trials)}): aim its faults at what every trial reaches`);
  if (trials.some(({ scenario }) => scenario !== noFaults.name) && !trials.some(({ landed }) => landed.some(hadEffect)))
    reasons.push(`no fault landed in any trial of ${where}: see what plans it draws, and whether they are carried out`);
  const shouldKill = trials.some(({ landed }) => landed.some(({ fault }) => kills(fault)));
  if (shouldKill && counted(trials).every((trial) => trial.kills.length === 0))
    reasons.push(`no kill was delivered in ${where}, though its plans have some: see whether the driver kills`);
  return reasons;
}

function missedQuotas(trials: TrialRecord[], where: string, quotas: Partial<Record<Window, number>>): string[] {
  return (Object.entries(quotas) as [Window, number][]).flatMap(([window, quota]) => {
    const hit = counted(trials).filter(({ hits }) => (hits[window] ?? 0) > 0).length;
    if (hit >= quota) return [];
    return `${hit} trials of ${where} have a fault while ${window}, and its quota is ${quota}: draw more of its places there, or run more seeds`;
  });
}

function commonest(trials: TrialRecord[]): string {
  const reasons = Map.groupBy(
    trials.filter(({ verdict }) => verdict === 'void').flatMap(({ void_reasons }) => void_reasons),
    (reason) => reason,
  );
  return [...reasons].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 'no reason given';
}

/** A part of a run is no run: of a shard that is said in a note, and `merge` judges; what is missing of a merged run, or was lost of any, makes it void. */
export function doubtsAboutParts(trials: number, { shard, missing, lost }: Pick<RunFacts, 'shard' | 'missing' | 'lost'>): Doubt[] {
  const doubts: Doubt[] = [];
  const isVoid = (why: string) => doubts.push({ verdict: 'void', why, proven: true });
  if (shard && trials === 0) isVoid(`shard ${shard.index} of ${shard.of} has no trials: make fewer shards`);
  if (missing) {
    const { trials: lacking, of, shards } = missing;
    const whose = shards.length === 0 ? '' : ` (of shard ${shards.join(', ')})`;
    isVoid(`${lacking} of ${of} trials are missing${whose}: run or resume what is missing, and merge again`);
  }
  if (lost)
    isVoid(
      `${lost.records} of the ${lost.of} records that the run had at its end are gone from its trials.ndjson: take the file as the run wrote it, or have their trials run again (run --resume)`,
    );
  return doubts;
}
