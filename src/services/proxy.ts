import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Disturbance } from '../driver/service.ts';

/** What one session connects to in place of a service. */
export interface Proxy {
  port: number;
  /** Until the function that it returns is called. */
  disturb(how: Disturbance): () => void;
  close(): void;
}

type Direction = 'to-service' | 'from-service';

/** A connection's one direction: from one socket into the other. */
interface Lane {
  direction: Direction;
  from: Socket;
}

/**
 * Passes every connection on to the service. In a partition nothing is read, so that what is sent, or that an end has been closed, shows only when it is over:
 * as on a network that loses packets, over which TCP sends them again.
 */
export async function openProxy(service: { hostname: string; port: number }): Promise<Proxy> {
  const disturbances = new Set<Disturbance>();
  const lanes = new Set<Lane>();

  const isHeld = (direction: Direction) =>
    [...disturbances].some((how) => how.is === 'partition' && (how.direction === 'both' || how.direction === direction));
  const isCut = () => [...disturbances].some(({ is }) => is === 'cut');
  const lag_ms = () => Math.max(0, ...[...disturbances].map((how) => (how.is === 'delay' ? how.by_ms : 0)));

  function join(direction: Direction, from: Socket, to: Socket) {
    const lane: Lane = { direction, from };
    lanes.add(lane);
    /** What is on its way, in the order in which it was sent: nothing overtakes what was sent before it. */
    const underway: { due_ms: number; arrive(): void }[] = [];
    function pass(arrive: () => void) {
      underway.push({ due_ms: performance.now() + lag_ms(), arrive });
      if (underway.length === 1) advance();
    }
    function advance() {
      for (let [next] = underway; next; [next] = underway) {
        const left_ms = next.due_ms - performance.now();
        if (left_ms > 0) return void setTimeout(advance, Math.ceil(left_ms)).unref();
        next.arrive();
        underway.shift();
      }
    }
    from.on('data', (chunk) => pass(() => to.write(chunk)));
    from.on('end', () => pass(() => to.end()));
    from.on('error', () => pass(() => to.destroy()));
    from.on('close', () => {
      lanes.delete(lane);
      pass(() => to.destroy());
    });
    if (isHeld(direction)) from.pause();
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (isCut()) return client.resetAndDestroy();
    const upstream = connect({ host: service.hostname, port: service.port, allowHalfOpen: true, noDelay: true });
    join('to-service', client, upstream);
    join('from-service', upstream, client);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');

  function settle() {
    for (const { direction, from } of lanes) {
      if (isCut()) from.resetAndDestroy();
      else if (isHeld(direction)) from.pause();
      else from.resume();
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    disturb(how) {
      disturbances.add(how);
      settle();
      return () => {
        disturbances.delete(how);
        settle();
      };
    },
    close() {
      server.close();
      for (const { from } of lanes) from.destroy();
    },
  };
}
