import { constants } from 'node:os';
import { ACTIONS, type Form, WHERE } from './forms.ts';
import type { CastMember, Fault, Place, Plan, SessionRef } from './plan.ts';
import { COUNT_MAX, castMemberSchema, DURATION_MS_MAX, FAULTS_MAX, faultSchema, planSchema } from './schema.ts';

/** A printed plan that can't be read: where, which piece of it, and what may stand there. */
export class PlanError extends Error {
  override name = 'PlanError';
  readonly text: string;
  /** Of the piece in the text, counting from 0. */
  readonly position: number;
  readonly piece: string;
  readonly allowed: string[];

  constructor(text: string, piece: Piece, why: string, allowed: string[]) {
    const pointer = `${' '.repeat(piece.position)}${'^'.repeat(Math.max(1, piece.text.length))}`;
    super(
      [
        `fault plan, column ${piece.position + 1}: ${JSON.stringify(piece.text)} ${why}`,
        `  ${text.replaceAll(/\s/g, ' ')}`,
        `  ${pointer}`,
        ...(allowed.length > 0 ? [`write: ${allowed.join(' | ')}`] : []),
      ].join('\n'),
    );
    this.text = text;
    this.position = piece.position;
    this.piece = piece.text;
    this.allowed = allowed;
  }
}

/** A part of the text, and where it begins. */
export interface Piece {
  text: string;
  position: number;
}

const SESSION_SHAPES = ['s1', 's2', '…', 'holder'];
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** @throws {PlanError} Where the text is not a plan. */
export function parsePlan(text: string): Plan {
  const words: Piece[] = [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], position: match.index }));
  const read = reader(text);
  let cast: CastMember[] = [{}];
  if (words[0]?.text.startsWith('cast=')) cast = read.cast(after(words.shift() as Piece, 'cast='.length));
  else if (words.length === 0) read.fail({ text: '', position: 0 }, 'is no plan', ['no faults', 'PLACE:ACTION …']);
  if (words.length === 2 && words[0]?.text === 'no' && words[1]?.text === 'faults') words.length = 0;
  const excess = words[FAULTS_MAX];
  if (excess) read.fail(excess, `is one fault too many: a plan has at most ${FAULTS_MAX}`, []);
  return { cast, faults: words.map((word) => read.fault(word)) };
}

export type Reader = ReturnType<typeof reader>;

/** Readers of the parts of a plan. Each is given a piece of `text` and fails with its position. */
function reader(text: string) {
  function fail(piece: Piece, why: string, allowed: string[]): never {
    throw new PlanError(text, piece, why, allowed);
  }

  function choose<T>(forms: Form<T>[], piece: Piece, what: string): T {
    for (const form of forms) {
      const match = form.pattern.exec(piece.text);
      if (!match) continue;
      const groups = match
        .slice(1)
        .map((group, index) => ({ text: group, position: piece.position + (match.indices?.[index + 1]?.[0] ?? 0) }));
      return form.read(groups, read);
    }
    return fail(
      piece,
      `is no ${what}`,
      forms.map((form) => form.shape),
    );
  }

  function wholeNumber(piece: Piece | undefined, min: number): number {
    const value = /^\d{1,9}$/.test(piece?.text ?? '') ? Number(piece?.text) : Number.NaN;
    return value >= min ? value : fail(piece as Piece, 'is no such number', [`a whole number from ${min} to ${COUNT_MAX}`]);
  }

  const read = {
    fail,
    cast(piece: Piece): CastMember[] {
      const count = /^[1-9]\d?$/.test(piece.text) ? Number(piece.text) : null;
      const cast = count === null ? pieces(piece, ',').map(read.member) : Array.from({ length: count }, () => ({}));
      const checked = planSchema.safeParse({ cast, faults: [] });
      if (!checked.success) fail(piece, `is no cast: ${checked.error.issues[0]?.message}`, ['cast=3', 'cast=@h1,@h2', 'cast=NAME@1.2.3,-']);
      return cast;
    },
    member(piece: Piece): CastMember {
      if (piece.text === '-') return {};
      const [, subject, host] = /^(.*?)(?:@(h[1-9]\d*(?:\/c[1-9]\d*)?!?))?$/s.exec(piece.text) ?? [];
      const member = { ...(subject && { subject: read.name({ text: subject, position: piece.position }) }), ...(host && { host }) };
      if (/^\d+$/.test(piece.text) || piece.text === '' || !castMemberSchema.safeParse(member).success)
        fail(piece, 'is no member of a cast', ['-', 'SUBJECT', '@hN', 'SUBJECT@hN', 'or a single count from 1 to 64']);
      return member;
    },
    fault(piece: Piece): Fault {
      const [, place, colon, action] = /^([^:()]*(?:\([^()]*\)[^:()]*)?)(:?)(.*)$/s.exec(piece.text) ?? [];
      if (place === undefined || action === undefined || !colon) return fail(piece, 'is no fault', ['PLACE:ACTION', 'no faults']);
      const fault: Fault = {
        where: read.place({ text: place, position: piece.position }),
        action: choose(ACTIONS, after(piece, place.length + 1), 'action'),
      };
      const checked = faultSchema.safeParse(fault);
      if (!checked.success) fail(piece, `is no fault: ${checked.error.issues[0]?.message}`, []);
      return fault;
    },
    place(piece: Piece | undefined): Place {
      const at = piece?.text.search(/@(?![^(]*\))/) ?? -1;
      const session = at < 0 ? undefined : read.session({ text: piece?.text.slice(0, at) ?? '', position: piece?.position ?? 0 });
      const where = choose(WHERE, after(piece as Piece, at + 1), 'place');
      if (session === undefined && (where.at === 'operation' || where.at === 'window' || where.at === 'end'))
        fail(piece as Piece, 'does not say whose it is', [`s1@${piece?.text}`, `holder@${piece?.text}`]);
      return (session === undefined ? where : { ...where, session }) as Place;
    },
    session(piece: Piece | undefined): SessionRef {
      if (!/^(s[1-9]\d{0,8}|holder)$/.test(piece?.text ?? '')) fail(piece as Piece, 'is no session', SESSION_SHAPES);
      return piece?.text as SessionRef;
    },
    name(piece: Piece | undefined): string {
      try {
        return (piece?.text ?? '').replace(/(?:%[\dA-Fa-f]{2})+|%/g, decodeURIComponent);
      } catch {
        return fail(piece as Piece, 'has a % that is no escape', ['%25 for a percent sign']);
      }
    },
    count: (piece: Piece | undefined) => wholeNumber(piece, 1),
    errno(piece: Piece | undefined): string {
      return (piece?.text ?? '') in constants.errno
        ? (piece?.text as string)
        : fail(piece as Piece, 'is no error code', ['ENOSPC', 'EIO', '…']);
    },
    bytes: (piece: Piece | undefined) => wholeNumber(piece, 0),
    fraction(piece: Piece | undefined): number {
      const percent = /^(\d{1,3}(?:\.\d{1,2})?)%$/.exec(piece?.text ?? '')?.[1];
      if (percent === undefined || Number(percent) > 100) fail(piece as Piece, 'is no share', ['0% to 100%, with at most two decimals']);
      return Number((Number(percent) / 100).toFixed(4));
    },
    duration(piece: Piece | undefined): number {
      const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(piece?.text ?? '') ?? [];
      const exact_ms = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
      const ms = Math.round(exact_ms);
      // 1.001 * 1000 is not quite 1001 in binary.
      if (!(Math.abs(exact_ms - ms) < 1e-6) || ms > DURATION_MS_MAX)
        fail(piece as Piece, 'is no duration', ['300ms', '45s', '1.5s', '2m', '1h', `whole milliseconds, at most ${DURATION_MS_MAX}ms`]);
      return ms;
    },
  };
  return read;
}

function after(piece: Piece, length: number): Piece {
  return { text: piece.text.slice(length), position: piece.position + length };
}

function pieces(piece: Piece, separator: string): Piece[] {
  let position = piece.position;
  return piece.text.split(separator).map((text) => {
    const part = { text, position };
    position += text.length + separator.length;
    return part;
  });
}
