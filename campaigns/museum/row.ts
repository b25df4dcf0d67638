import type { Answer, HuntAnswer, LiveAnswer, TwinAnswer } from './answers.ts';
import type { MuseumCase } from './case.ts';

/** What the scoreboard says of one case. */
export interface Row extends Pick<MuseumCase, 'name' | 'title' | 'source' | 'never'> {
  broken: string;
  /** Of the base seeds that were asked, and the medians of those that found it. */
  found: { seeds: number; of: number; strategies: string[]; invariants: string[]; trials: number | null; seconds: number | null };
  /** The smallest plan that any seed came to. Null: nothing was found. */
  smallest: { plan: string; steps: number; stepsMax: number; driver: 'sim' | 'live'; seed: number; scenario: string } | null;
  fixed: { subject: string; trials: number; void: number; findings: number } | null;
  live:
    | { is: 'confirmed' | 'not-confirmed'; broken: LiveAnswer['broken']; fixed: LiveAnswer['fixed']; plan: string | null }
    | { is: 'not-confirmed'; why: string };
}

export function rowOf(about: MuseumCase, all: Answer[]): Row {
  const answers = all.filter((answer) => answer.case === about.name);
  const hunts = answers.filter((answer): answer is HuntAnswer => answer.answer === 'hunt');
  const caught = hunts.filter((hunt) => hunt.caught !== null);
  const twins = [
    ...new Map(
      answers.flatMap((answer): [string, TwinAnswer][] =>
        answer.answer === 'twin' ? [[`${answer.strategy} ${answer.block}`, answer]] : [],
      ),
    ).values(),
  ];
  const sum = (of: (twin: TwinAnswer) => number) => twins.reduce((total, twin) => total + of(twin), 0);
  return {
    name: about.name,
    title: about.title,
    source: about.source,
    never: about.never,
    broken: about.broken,
    found: {
      seeds: caught.length,
      of: hunts.length,
      strategies: unique(caught.map(({ strategy }) => strategy)),
      invariants: unique(caught.map(({ caught }) => caught?.invariant ?? '')),
      trials: median(caught.map(({ trials }) => trials)),
      seconds: median(caught.map(({ seconds }) => seconds)),
    },
    smallest: smallestOf(caught),
    fixed:
      about.fixed === null
        ? null
        : {
            subject: about.fixed,
            trials: sum(({ trials }) => trials),
            void: sum((twin) => twin.void),
            findings: sum(({ broken }) => broken.length),
          },
    live: liveOf(
      about,
      hunts,
      answers.findLast((answer): answer is LiveAnswer => answer.answer === 'live'),
    ),
  };
}

function smallestOf(caught: HuntAnswer[]): Row['smallest'] {
  const plans = caught.flatMap(({ caught, shrunk, driver }) =>
    caught
      ? [{ plan: shrunk?.plan ?? caught.plan, steps: shrunk?.steps ?? caught.steps, driver, seed: caught.seed, scenario: caught.scenario }]
      : [],
  );
  const [first] = plans.toSorted((a, b) => a.steps - b.steps || a.plan.length - b.plan.length);
  return first ? { ...first, stepsMax: Math.max(...plans.map(({ steps }) => steps)) } : null;
}

function liveOf({ live }: MuseumCase, hunts: HuntAnswer[], answer: LiveAnswer | undefined): Row['live'] {
  const onTheClock = hunts.filter(({ driver, caught }) => driver === 'live' && caught);
  if (answer) {
    const { broken, fixed, plan } = answer;
    return { is: broken.shown > 0 ? 'confirmed' : 'not-confirmed', broken, fixed, plan };
  }
  if (onTheClock.length > 0)
    return { is: 'confirmed', broken: { shown: onTheClock.length, of: hunts.length, void: 0 }, fixed: null, plan: null };
  return { is: 'not-confirmed', why: live.by === 'none' ? live.why : 'not asked yet' };
}

/** The lower of the two middle ones. */
function median(values: number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)];
}
