import { expect, test } from 'vitest';
import type { Campaign, Subject } from '../../src/campaign/campaign.ts';
import { defineCampaign } from '../../src/campaign/define.ts';
import { expandControls } from '../../src/campaign/expand.ts';
import { aCampaign } from './a-campaign.ts';

const live = { live: { ttl_ms: 1, recovers_within_ms: 2, deadline_ms: 3 } };
const inService = (service: string): Subject => ({ name: 'kept', service: service as 'etcd' });

test('a subject’s service is one that the harness can start, and not under sim', () => {
  const define = (change: Partial<Campaign>) => () => defineCampaign({ ...aCampaign(), ...change });
  expect(define({ subjects: [inService('etcd')], timing: live })).not.toThrow();
  expect(define({ subjects: [inService('mysql')], timing: live })).toThrow(
    /subjects\[0\]\.service.*Write one of etcd, postgres, redis, redis-aof/s,
  );
  expect(define({ subjects: [inService('etcd')], timing: { sim: live.live } })).toThrow(/Under sim there are no services/);
});

test('a variant is one of the subject that it names', () => {
  const variants = [
    { name: 'of-the-first', strip: ['x'] },
    { name: 'of-the-second', subject: 'second', strip: ['x'] },
  ];
  const subjects = [{ name: 'first' }, { name: 'second' }];
  const campaign = { ...aCampaign(), subjects, variants };
  const trials = expandControls(campaign, { seeds: [1], scenarios: campaign.scenarios.slice(0, 1), subjects, variants });
  expect(trials.map(({ subject, variant }) => [subject.name, variant?.name])).toEqual([
    ['first', 'of-the-first'],
    ['second', 'of-the-second'],
  ]);
  const misnamed = { ...campaign, variants: [{ name: 'of-nobody', subject: 'third', strip: ['x'] }] };
  expect(() => defineCampaign(misnamed)).toThrow(/variants\[0\]\.subject.*No subject of this campaign/s);
});
