import { z } from 'zod';
import { type CastMember, type Fault, type Place, type Plan, type SessionRef, WINDOWS } from './plan.ts';

export const CAST_MAX = 64;
export const FAULTS_MAX = 1_000;
/** Of every count in a plan: operations, events, bytes. */
export const COUNT_MAX = 999_999_999;
/** Of every duration in a plan: eleven days and a half. */
export const DURATION_MS_MAX = 1_000_000_000;

/** Words that begin a place of another form, and so can't be the kind of an operation. */
export const RESERVED_KINDS = ['op', 'point'];

const SESSION = /^(s[1-9]\d{0,8}|holder)$/;
const session = z.custom<SessionRef>((value) => typeof value === 'string' && SESSION.test(value), 'write s1, s2, … or holder');
const n = z.int().min(1).max(COUNT_MAX);
const ms = z.int().min(0).max(DURATION_MS_MAX);
const name = z.string().min(1).max(1_000);

const kind = z
  .string()
  .regex(/^[A-Za-z][\w-]*$/, 'write the name of a call, e.g. rename')
  .refine((value) => !RESERVED_KINDS.includes(value), 'that word has another meaning in a plan');

export const placeSchema: z.ZodType<Place> = z.discriminatedUnion('at', [
  z.strictObject({
    at: z.literal('operation'),
    session,
    n,
    kind: kind.optional(),
    path: name.optional(),
    edge: z.enum(['before', 'after']),
  }),
  z.strictObject({ at: z.literal('point'), session: session.optional(), name, n }),
  z.strictObject({ at: z.literal('event'), session: session.optional(), n }),
  z.strictObject({ at: z.literal('lock'), session: session.optional(), change: z.enum(['acquired', 'renewed', 'released']), n }),
  z.strictObject({
    at: z.literal('window'),
    session,
    window: z.enum(WINDOWS),
    fraction: z
      .number()
      .min(0)
      .max(1)
      .refine((value) => value === Number(value.toFixed(4)), 'write at most four decimals'),
  }),
  z.strictObject({ at: z.literal('time'), session: session.optional(), ms, since: z.enum(['start', 'last-fault']) }),
  z.strictObject({ at: z.literal('end'), session }),
]);

const actionSchema: z.ZodType<Fault['action']> = z.union([
  z.strictObject({ do: z.enum(['kill', 'steal', 'expire', 'rival', 'power-cut', 'reboot', 'reuse-pid']) }) as z.ZodType<Fault['action']>,
  z.strictObject({ do: z.literal('pause'), ms }),
  z.strictObject({ do: z.literal('pause'), until: placeSchema }),
  z.strictObject({ do: z.enum(['outage', 'cut']), ms }) as z.ZodType<Fault['action']>,
  z.strictObject({ do: z.literal('partition'), ms, direction: z.enum(['both', 'to-service', 'from-service']) }),
  z.strictObject({ do: z.literal('delay'), ms, by_ms: ms }),
  z.strictObject({ do: z.literal('corrupt'), how: z.enum(['truncate', 'garbage', 'empty', 'remove']) }),
  z.strictObject({ do: z.literal('fail'), errno: z.string().regex(/^E[A-Z0-9]+$/, 'write an error code, e.g. EIO') }),
  z.strictObject({ do: z.literal('tear'), bytes: z.int().min(0).max(COUNT_MAX) }),
  z.strictObject({ do: z.literal('jump'), ms: z.int().min(-DURATION_MS_MAX).max(DURATION_MS_MAX) }),
  z.strictObject({ do: z.literal('yield'), to: session }),
]);

/** Done to the lock, to its service or to the trial, and so to no session. */
const TO_NO_SESSION = ['steal', 'expire', 'corrupt', 'rival', 'reuse-pid', 'outage'];

export const faultSchema: z.ZodType<Fault> = z
  .strictObject({ where: placeSchema, action: actionSchema })
  .refine(({ where, action }) => where.at !== 'time' || where.session !== undefined || TO_NO_SESSION.includes(action.do), {
    error: 'at a time nobody is meant unless it is said who: write s1@t=…',
  });

export const castMemberSchema: z.ZodType<CastMember> = z.strictObject({
  subject: name.optional(),
  host: z
    .string()
    .regex(/^h[1-9]\d{0,8}(\/c[1-9]\d{0,8})?!?$/, 'write h1, h2, …, or a container of one: h1/c1')
    .optional(),
});

/** What a valid plan is. Every plan that passes can be printed and parsed back to the same plan. */
export const planSchema: z.ZodType<Plan> = z.strictObject({
  cast: z.array(castMemberSchema).min(1).max(CAST_MAX),
  faults: z.array(faultSchema).max(FAULTS_MAX),
});
