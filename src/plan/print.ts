import type { Action, CastMember, Fault, Place, Plan } from './plan.ts';

/**
 * A plan's printed form: one line, which `parsePlan` reads back to the same plan.
 *
 *     s1@write(events.jsonl)#3:kill  s2@op#12:pause=45s  t=+31s:steal
 *
 * ```text
 * plan   := ['cast=' (N | member (',' member)*)] ('no faults' | fault*)   between words: two spaces when printed, any white space when parsed
 * member := '-' | [subject] ['@' host]                                    '-' is a default session; no cast= is cast=1
 * host   := 'h' N ['/c' N] ['!']                a machine, or a container on it, with a PID namespace of its own; '!': where no boot id can be read
 * fault  := place ':' action
 * place  := [session '@'] where                                           session := s1 | s2 | … | holder
 * where  := 'op#' N ['+']                       the session's N-th operation; '+': just after it instead of before
 *         | kind '(' [glob] ')#' N ['+']        the N-th operation of that kind, on a path that matches
 *         | 'op(' glob ')#' N ['+']             the N-th of any kind on a path that matches
 *         | 'point(' name ')#' N                the N-th time that it says `@crash point name`
 *         | 'event#' N                          the N-th durable event
 *         | ('acquired#' | 'renewed#' | 'released#') N
 *         | window '+' P '%'                    a share of the golden run's length of that window, from entering it
 *         | 't=' duration                       since the trial began; with a session, since its spawn
 *         | 't=+' duration                      since the fault before this one
 *         | 'end'                               the session has ended
 * action := 'kill' | 'pause=' duration | 'pause=until:' place | 'steal' | 'expire' | 'corrupt=' ('truncate' | 'garbage' | 'empty' | 'remove')
 *         | 'fail=' ERRNO | 'tear=' bytes | 'jump=' ('+' | '-') duration | 'rival' | 'power-cut' | 'reboot' | 'reuse-pid' | 'yield=' session
 *         | 'outage=' duration | 'cut=' duration | 'partition=' duration [',to-service' | ',from-service'] | 'delay=' duration ',by=' duration
 * duration := 300ms | 45s | 1.5s | 2m | 1h      whole milliseconds; printed in ms and s
 * ```
 *
 * In globs, names and subjects, white space and the characters that would end them are written as in a URL: `%20`.
 */
export function printPlan(plan: Plan): string {
  const isDefaultCast = plan.cast.length === 1 && isDefault(plan.cast[0]);
  const words = isDefaultCast ? [] : [`cast=${plan.cast.every(isDefault) ? plan.cast.length : plan.cast.map(printMember).join(',')}`];
  words.push(...(plan.faults.length === 0 ? ['no faults'] : plan.faults.map(printFault)));
  return words.join('  ');
}

export function printFault({ where, action }: Fault): string {
  return `${printPlace(where)}:${printAction(action)}`;
}

function printPlace(place: Place): string {
  return (place.session === undefined ? '' : `${place.session}@`) + printWhere(place);
}

function printWhere(place: Place): string {
  switch (place.at) {
    case 'operation': {
      const isAny = place.kind === undefined && place.path === undefined;
      return `${place.kind ?? 'op'}${isAny ? '' : `(${escape(place.path ?? '')})`}#${place.n}${place.edge === 'after' ? '+' : ''}`;
    }
    case 'point':
      return `point(${escape(place.name)})#${place.n}`;
    case 'event':
      return `event#${place.n}`;
    case 'lock':
      return `${place.change}#${place.n}`;
    case 'window':
      return `${place.window}+${Number((place.fraction * 100).toFixed(2))}%`;
    case 'time':
      return `t=${place.since === 'last-fault' ? '+' : ''}${printDuration(place.ms)}`;
    case 'end':
      return 'end';
  }
}

function printAction(action: Action): string {
  switch (action.do) {
    case 'pause':
      return 'until' in action ? `pause=until:${printPlace(action.until)}` : `pause=${printDuration(action.ms)}`;
    case 'outage':
    case 'cut':
      return `${action.do}=${printDuration(action.ms)}`;
    case 'partition':
      return `partition=${printDuration(action.ms)}${action.direction === 'both' ? '' : `,${action.direction}`}`;
    case 'delay':
      return `delay=${printDuration(action.ms)},by=${printDuration(action.by_ms)}`;
    case 'corrupt':
      return `corrupt=${action.how}`;
    case 'fail':
      return `fail=${action.errno}`;
    case 'tear':
      return `tear=${action.bytes}`;
    case 'jump':
      return `jump=${action.ms < 0 ? '-' : '+'}${printDuration(Math.abs(action.ms))}`;
    case 'yield':
      return `yield=${action.to}`;
    default:
      return action.do;
  }
}

function printDuration(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
}

function isDefault(member: CastMember | undefined): boolean {
  return member?.subject === undefined && member?.host === undefined;
}

function printMember(member: CastMember): string {
  if (isDefault(member)) return '-';
  return (member.subject === undefined ? '' : printSubject(member.subject)) + (member.host === undefined ? '' : `@${member.host}`);
}

/** A subject that reads like a count, like a default session or as if it ended with a host has the character escaped that makes it so. */
function printSubject(subject: string): string {
  return subject.replace(/[\s\p{Cc}%,]|^\d(?=\d*$)|^-$|@(?=h\d+(?:\/c\d+)?!?$)/gu, percentEncode);
}

function escape(text: string): string {
  return text.replace(/[\s\p{Cc}%()]/gu, percentEncode);
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
