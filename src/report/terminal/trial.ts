import type { KillRecord, LandedFault, TrialRecord } from '../../history/record.ts';
import { duration } from '../duration.ts';
import type { Paint } from '../paint.ts';

export const VERDICT_COLOURS = { held: 'green', broken: 'red', void: 'yellow' } as const;

/** One trial in a few lines: its plan, what became of each fault, how it recovered, and the verdict with what proves it. */
export function trialText(record: TrialRecord, paint: Paint): string {
  return [
    paint('bold', record.id),
    `  ${paint('dim', 'plan')}      ${record.plan === '' ? 'no faults' : record.plan}`,
    ...record.landed.map((fault, index) => `  ${paint('dim', `fault ${index + 1}`)}   ${landedText(fault)}`),
    ...record.kills.map((kill) => `  ${paint('dim', 'recovery')}  ${recoveryText(kill)}`),
    `  ${paint('dim', 'took')}      ${duration(record.duration_ms)}${record.driver === 'sim' ? ` of virtual time, ${duration(record.wall_ms)} real` : ''}`,
    `  ${paint('dim', 'digest')}    ${record.digest}`,
    ...record.nondeterministic.map((what) => `  ${paint('yellow', 'not simulated')}  ${what}`),
    `  ${paint(['bold', VERDICT_COLOURS[record.verdict]], record.verdict)}`,
    ...record.violations.map(({ invariant, message }) => `    ${invariant}: ${message}`),
    ...record.void_reasons.map((reason) => `    ${reason}`),
  ].join('\n');
}

function landedText({ fault, state, session, t_ms, windows, operation, why }: LandedFault): string {
  const facts = [
    ...(session === null ? [] : [`on ${session}`]),
    ...(t_ms === null ? [] : [`at ${(t_ms / 1000).toFixed(3)} s`]),
    ...(windows.length === 0 ? [] : [`while ${windows.join(' and ')}`]),
    ...(operation === null ? [] : [`at ${operation}`]),
    ...(why === null ? [] : [`(${why})`]),
  ];
  return [`${fault}  ${state === 'armed' ? 'never reached' : state}`, ...facts].join(' ');
}

function recoveryText(kill: KillRecord): string {
  const left = kill.left_lock_behind ? 'left the lock behind' : 'did not hold the lock';
  if (kill.recovery_ms === null) return `${kill.session} ${left}; not recovered within ${duration(kill.censored_ms)}`;
  const parts = kill.takeover_ms === null ? '' : `: takeover ${duration(kill.takeover_ms)}, progress ${duration(kill.progress_ms)}`;
  const floor = kill.ttl_floor_ms > 0 ? `, of which ${duration(kill.ttl_floor_ms)} waiting for the dead lease` : '';
  return `${kill.session} ${left}; recovered in ${duration(kill.recovery_ms)}${parts}${floor}`;
}
