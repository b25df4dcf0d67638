import fc from 'fast-check';
import type { Campaign } from '../../src/campaign/campaign.ts';
import type { Scenario } from '../../src/plan/scenario.ts';

export const aScenario = (name: string): Scenario => ({ name, title: 'Nothing.', draw: () => fc.constant({ cast: [{}], faults: [] }) });

/** A campaign in which nothing is wrong. It is declared, never run. */
export function aCampaign(): Campaign {
  return {
    name: 'fixture',
    title: 'A campaign that is only declared.',
    kernel: { command: ['node', '{kernel}/kernel.ts', '{state}'], env: { TTL_MS: '{ttl_ms}' } },
    subjects: [{ name: 'lib@1.0.0', knownDefects: [{ invariant: 'finishes', scenario: 'first', source: 'its issue 1' }] }],
    lock: {
      kind: 'none',
      covers: () => false,
      inspect: () => ({ is: 'free' }),
      steal: () => {},
      expire: () => {},
      corrupt: () => {},
    },
    read: () => ({ events: [], work: [], unreadable: [], debris: [] }),
    scenarios: [aScenario('first'), aScenario('second')],
    variants: [
      { name: 'without-ttl', strip: ['ttl'], expect: { breaks: ['recovers-within'] }, scenarios: ['second'], trials: 3 },
      { name: 'other', replace: { guard: 'if (true) {' }, expect: { breaksAny: ['finishes', 'no-debris'] } },
    ],
    seeds: '1000-1029',
    timing: { sim: { ttl_ms: 3_000, deadline_ms: 60_000, recovers_within_ms: 10_000 } },
    robbed_reason: 'lock-stolen-mid-run',
    allowed_reasons: ['lock-busy'],
  };
}
