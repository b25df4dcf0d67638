import fc from 'fast-check';
import { parsePlan } from '../../src/plan/parse.ts';
import type { Scenario } from '../../src/plan/scenario.ts';
import { FACTS } from './log-is-complete.ts';

/** At a place that every version comes to, whichever calls lead there: one plan, so that there is one trial to be made of it. */
const crash = (name: string, title: string, plan: string): Scenario => ({
  name,
  title,
  drivers: ['sim'],
  trials: 1,
  draw: () => fc.constant(parsePlan(plan)),
});

/** Events of which something else says first that they have happened. Not all versions write in the same way what comes behind these. */
const FORETOLD = [
  'run_created',
  'run_started',
  'hook_created hook_1',
  'step_created step_1',
  'step_completed step_1',
  'wait_created wait_1',
  'wait_completed wait_1',
];

/** An event is written to another name first. */
const beforeEvents = FORETOLD.map((fact) => {
  const [type = ''] = fact.split(' ');
  const n = FACTS.indexOf(fact) + 1;
  const title = `The session is killed before it writes ${type}, when the entity says so already.`;
  return crash(`before-${type.replace('_', '-')}`, title, `s1@open(data/events/*.tmp.*)#${n}:kill`);
});

const MAKES_HOOK = 'while-it-makes-a-hook';
const DISPOSES_OF_HOOK = 'while-it-disposes-of-a-hook';

/** Versions differ in how many operations they take, and not in what they are about: so many of each are reached in all of them. */
const OPERATIONS = { 'version.txt': 3, 'data/runs/*': 10, '*step_1*': 12, '*wait_1*': 8, '*hook_1*': 4, 'data/hooks/**': 10 };

const places = [
  ...Object.entries(OPERATIONS).flatMap(([glob, count]) => upTo(count).flatMap((n) => [`op(${glob})#${n}`, `op(${glob})#${n}+`])),
  ...upTo(FACTS.length - 1).map((n) => `event#${n}`),
];

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

const killAtAnEntity: Scenario = {
  name: 'kill-at-an-entity',
  title: 'The session is killed before or after an operation on one of the run’s entities, or after it wrote an event.',
  drivers: ['sim'],
  trials: 4,
  draw: () => fc.constantFrom(...places).map((place) => parsePlan(`s1@${place}:kill`)),
};

export const scenarios = [
  crash('before-version', 'The session is killed when version.txt is there and empty.', 's1@write(data/version.txt)#1:kill'),
  crash('torn-version', 'The session is killed when it has written a part of version.txt.', 's1@write(data/version.txt)#1:tear=26'),
  crash('before-run', 'The session is killed when the first file of the run is there and empty.', 's1@write(data/runs/*)#1:kill'),
  ...beforeEvents,
  crash('before-step', 'The session is killed before it writes the file of a new step.', 's1@open(data/steps/*.tmp.*)#1:kill'),
  crash('before-hook', 'The session is killed before it writes the file of a new hook.', 's1@open(data/hooks/hook_1.json.tmp.*)#1:kill'),
  crash(
    'before-token-is-freed',
    'The session is killed before it first removes the file of a token: 5.0.0-beta.46 when it makes a hook, the others when they dispose of one.',
    's1@unlink(data/hooks/tokens/*.json)#1:kill',
  ),
  crash(
    'before-hook-disposed',
    'The session is killed when it has removed the file of a hook, before it writes hook_disposed.',
    's1@unlink(data/hooks/hook_1.json)#1+:kill',
  ),
  crash(
    'before-hooks-are-removed',
    'The session is killed when the run’s file says that it is complete, before the hooks of the run are removed.',
    's1@rename(data/runs/*)#2+:kill',
  ),
  crash(
    'before-run-completed',
    'The session is killed when it has removed the last hook of a run that is complete, before it writes run_completed.',
    's1@unlink(data/hooks/hook_2.json)#1+:kill',
  ),
  crash(MAKES_HOOK, 'The session is killed when it has taken the lock of a token, to make a hook.', 's1@mkdir(*.lock)#1+:kill'),
  crash(DISPOSES_OF_HOOK, 'The session is killed when it has taken the lock of a token, to dispose of a hook.', 's1@mkdir(*.lock)#2+:kill'),
  killAtAnEntity,
];

/** Before 5.0.0-beta.46 a token had no lock. */
export const WITHOUT_TOKEN_LOCK = Object.fromEntries([MAKES_HOOK, DISPOSES_OF_HOOK].map((name) => [name, 'it has no lock on a token']));
