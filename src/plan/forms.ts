import type { Piece, Reader } from './parse.ts';
import { type Action, type Place, WINDOWS, type Window } from './plan.ts';

/** One way to write a place or an action; its pattern's groups are what `read` gets. */
export interface Form<T> {
  shape: string;
  pattern: RegExp;
  read(groups: Piece[], reader: Reader): T;
}

/** A place without its session. */
type Where = Place extends infer P ? (P extends Place ? Omit<P, 'session'> : never) : never;

export const WHERE: Form<Where>[] = [
  {
    shape: 'op#N[+]',
    pattern: /^op#(.*?)(\+?)$/d,
    read: ([n, plus], read) => ({ at: 'operation', n: read.count(n), edge: edge(plus) }),
  },
  {
    shape: 'op(GLOB)#N[+]',
    pattern: /^op\(([^()]+)\)#(.*?)(\+?)$/d,
    read: ([path, n, plus], read) => ({ at: 'operation', path: read.name(path), n: read.count(n), edge: edge(plus) }),
  },
  {
    shape: 'point(NAME)#N',
    pattern: /^point\(([^()]+)\)#(.*)$/d,
    read: ([name, n], read) => ({ at: 'point', name: read.name(name), n: read.count(n) }),
  },
  {
    shape: 'KIND(GLOB)#N[+]',
    pattern: /^(?!op\(|point\()([A-Za-z][\w-]*)\(([^()]*)\)#(.*?)(\+?)$/d,
    read: ([kind, path, n, plus], read) => ({
      at: 'operation',
      kind: kind?.text,
      ...(path?.text && { path: read.name(path) }),
      n: read.count(n),
      edge: edge(plus),
    }),
  },
  { shape: 'event#N', pattern: /^event#(.*)$/d, read: ([n], read) => ({ at: 'event', n: read.count(n) }) },
  {
    shape: 'acquired#N | renewed#N | released#N',
    pattern: /^(acquired|renewed|released)#(.*)$/d,
    read: ([change, n], read) => ({ at: 'lock', change: change?.text as 'acquired', n: read.count(n) }),
  },
  {
    shape: `${WINDOWS.join('|')}+P%`,
    pattern: new RegExp(`^(${WINDOWS.join('|')})\\+(.*)$`, 'd'),
    read: ([window, share], read) => ({ at: 'window', window: window?.text as Window, fraction: read.fraction(share) }),
  },
  { shape: 't=+45s', pattern: /^t=\+(.*)$/d, read: ([ms], read) => ({ at: 'time', ms: read.duration(ms), since: 'last-fault' }) },
  { shape: 't=45s', pattern: /^t=(.*)$/d, read: ([ms], read) => ({ at: 'time', ms: read.duration(ms), since: 'start' }) },
  { shape: 'end', pattern: /^end$/d, read: () => ({ at: 'end' }) },
];

export const ACTIONS: Form<Action>[] = [
  ...(['kill', 'steal', 'expire', 'rival', 'power-cut', 'reboot', 'reuse-pid'] as const).map((action) => ({
    shape: action,
    pattern: new RegExp(`^${action}$`, 'd'),
    read: () => ({ do: action }),
  })),
  { shape: 'pause=until:PLACE', pattern: /^pause=until:(.*)$/d, read: ([place], read) => ({ do: 'pause', until: read.place(place) }) },
  { shape: 'pause=45s', pattern: /^pause=(.*)$/d, read: ([ms], read) => ({ do: 'pause', ms: read.duration(ms) }) },
  { shape: 'outage=500ms', pattern: /^outage=(.*)$/d, read: ([ms], read) => ({ do: 'outage', ms: read.duration(ms) }) },
  { shape: 'cut=2s', pattern: /^cut=(.*)$/d, read: ([ms], read) => ({ do: 'cut', ms: read.duration(ms) }) },
  {
    shape: 'partition=2s[,to-service|,from-service]',
    pattern: /^partition=([^,]*)(?:,(to-service|from-service))?$/d,
    read: ([ms, to], read) => ({ do: 'partition', ms: read.duration(ms), direction: (to?.text ?? 'both') as 'both' }),
  },
  {
    shape: 'delay=2s,by=100ms',
    pattern: /^delay=([^,]*),by=(.*)$/d,
    read: ([ms, by], read) => ({ do: 'delay', ms: read.duration(ms), by_ms: read.duration(by) }),
  },
  {
    shape: 'corrupt=truncate|garbage|empty|remove',
    pattern: /^corrupt=(truncate|garbage|empty|remove)$/d,
    read: ([how]) => ({ do: 'corrupt', how: how?.text as 'truncate' }),
  },
  { shape: 'fail=ERRNO', pattern: /^fail=(E[A-Z0-9]+)$/d, read: ([errno], read) => ({ do: 'fail', errno: read.errno(errno) }) },
  { shape: 'tear=BYTES', pattern: /^tear=(.*)$/d, read: ([bytes], read) => ({ do: 'tear', bytes: read.bytes(bytes) }) },
  {
    shape: 'jump=+45s | jump=-45s',
    pattern: /^jump=([+-])(.*)$/d,
    read: ([sign, ms], read) => ({ do: 'jump', ms: (sign?.text === '-' ? -1 : 1) * read.duration(ms) || 0 }),
  },
  { shape: 'yield=sN', pattern: /^yield=(.*)$/d, read: ([to], read) => ({ do: 'yield', to: read.session(to) }) },
];

function edge(plus: Piece | undefined): 'before' | 'after' {
  return plus?.text === '+' ? 'after' : 'before';
}
