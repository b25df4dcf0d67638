import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the system gives to outgoing connections, so that nobody comes by one while its server is down for a moment. */
const FIRST = 20_000;
const PAIRS = 6_000;

/** Harnesses begin at different places, and each goes on from where it was. */
let next = process.pid;

/** A port of 127.0.0.1 that is free, as is the one behind it. */
export async function freePorts(): Promise<number> {
  for (let tried = 0; tried < PAIRS; tried++) {
    const port = FIRST + 2 * (next++ % PAIRS);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error(`no two ports are free from ${FIRST} to ${FIRST + 2 * PAIRS}: end what listens there`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await Promise.race([once(server, 'listening').then(() => true), once(server, 'error').then(() => false)]);
  if (!isListening) return false;
  server.close();
  await once(server, 'close');
  return true;
}
