import fc from 'fast-check';
import { parsePlan } from '../../src/plan/parse.ts';
import type { Scenario } from '../../src/plan/scenario.ts';

/** Versions differ in how many operations they take, and not in what they are about: so many of each are reached in all of them. */
const OPERATIONS = { 'version.txt': 3, 'data/runs/*': 10, '*step_1*': 12, '*wait_1*': 8, '*hook_1*': 4, 'data/hooks/**': 10 };
const EVENTS = 14;

const places = [
  ...Object.entries(OPERATIONS).flatMap(([glob, count]) => upTo(count).flatMap((n) => [`op(${glob})#${n}`, `op(${glob})#${n}+`])),
  // When the entity has been written, and its event has not.
  ...upTo(EVENTS).flatMap((n) => [`open(data/events/*)#${n}`, `event#${n}`]),
];

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

export const killAtAnEntity: Scenario = {
  name: 'kill-at-an-entity',
  title: 'The session is killed before or after an operation on one of the run’s entities, before it writes an event, or after it.',
  drivers: ['sim'],
  draw: () => fc.constantFrom(...places).map((place) => parsePlan(`s1@${place}:kill`)),
};
