import fc from 'fast-check';
import { type CastMember, type Fault, type Place, type Plan, type SessionRef, WINDOWS } from '../../src/plan/plan.ts';
import { CAST_MAX, COUNT_MAX, DURATION_MS_MAX, faultSchema, RESERVED_KINDS } from '../../src/plan/schema.ts';

const numbered = fc.integer({ min: 1, max: 99 }).map((n): SessionRef => `s${n}`);
const session: fc.Arbitrary<SessionRef> = fc.oneof(numbered, fc.constant<SessionRef>('holder'));
const someone = fc.option(session, { nil: undefined });
const n = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: COUNT_MAX }));
const ms = fc.oneof(fc.nat(2_000), fc.nat(DURATION_MS_MAX));
const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.constantFrom('events.jsonl', '*.{json,tmp}', 'a (copy) 100%@h1:x,y', '%41', ' '),
);
const kind = fc.stringMatching(/^[A-Za-z][\w-]{0,8}$/).filter((word) => !RESERVED_KINDS.includes(word));

const place: fc.Arbitrary<Place> = fc.oneof(
  fc.record(
    { at: fc.constant('operation' as const), session, n, kind, path: text, edge: fc.constantFrom('before' as const, 'after' as const) },
    { requiredKeys: ['at', 'session', 'n', 'edge'] },
  ),
  fc.record({ at: fc.constant('point' as const), session: someone, name: text, n }),
  fc.record({ at: fc.constant('event' as const), session: someone, n }),
  fc.record({
    at: fc.constant('lock' as const),
    session: someone,
    change: fc.constantFrom('acquired' as const, 'renewed' as const, 'released' as const),
    n,
  }),
  fc.record({
    at: fc.constant('window' as const),
    session,
    window: fc.constantFrom(...WINDOWS),
    fraction: fc.nat(10_000).map((x) => x / 10_000),
  }),
  fc.record({ at: fc.constant('time' as const), session: someone, ms, since: fc.constantFrom('start' as const, 'last-fault' as const) }),
  fc.record({ at: fc.constant('end' as const), session }),
);

const action: fc.Arbitrary<Fault['action']> = fc.oneof(
  fc.constantFrom('kill' as const, 'steal', 'expire', 'rival', 'power-cut', 'reboot', 'reuse-pid').map((it) => ({ do: it })),
  fc.record({ do: fc.constant('pause' as const), ms }),
  fc.record({ do: fc.constant('pause' as const), until: place }),
  fc.record({ do: fc.constantFrom('outage' as const, 'cut'), ms }),
  fc.record({ do: fc.constant('partition' as const), ms, direction: fc.constantFrom('both' as const, 'to-service', 'from-service') }),
  fc.record({ do: fc.constant('delay' as const), ms, by_ms: ms }),
  fc.record({ do: fc.constant('corrupt' as const), how: fc.constantFrom('truncate' as const, 'garbage', 'empty', 'remove') }),
  fc.record({ do: fc.constant('fail' as const), errno: fc.constantFrom('EIO', 'ENOSPC', 'E2BIG') }),
  fc.record({ do: fc.constant('tear' as const), bytes: fc.nat(COUNT_MAX) }),
  fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -DURATION_MS_MAX, max: DURATION_MS_MAX }) }),
  fc.record({ do: fc.constant('yield' as const), to: session }),
);

const subject = fc.oneof(
  text,
  fc.constantFrom('proper-lockfile@4.1.2', '@scope/name@5.0.0-beta.46', '3', '-', 'lock@h2', 'lock@h2/c1', 'lock@h1!', '@h1', '12,5'),
);
const member: fc.Arbitrary<CastMember> = fc.record({ subject, host: fc.stringMatching(/^h[1-9](\/c[1-9])?!?$/) }, { requiredKeys: [] });

const fault: fc.Arbitrary<Fault> = fc.record({ where: place, action }).filter((it) => faultSchema.safeParse(it).success);

/** Every plan that the schema lets through, the odd ones included. */
export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  cast: fc.oneof(
    fc.integer({ min: 1, max: CAST_MAX }).map((size) => Array.from({ length: size }, () => ({}))),
    fc.array(member, { minLength: 1, maxLength: 4 }),
  ),
  faults: fc.array(fault, { maxLength: 5 }),
});
