import { connect, type Socket } from 'node:net';

/** A server that does not answer in this time never will; a busy machine takes seconds. */
export const PATIENCE_MS = 15_000;

/** One connection, over which one request at a time is sent. It keeps nothing from ending. */
export interface Connection<T> {
  /** Sends a request, and resolves with its answer when all of it has come. */
  ask(request: Buffer): Promise<T>;
  end(): void;
}

/**
 * @param parse Told what has come and not been used up; returns the answer and how much of it that was, or null when there is more to come.
 */
export async function openConnection<T>(
  { hostname, port }: { hostname: string; port: number },
  parse: (come: Buffer) => { answer: T; length: number } | null,
): Promise<Connection<T>> {
  const socket: Socket = connect({ host: hostname, port, noDelay: true });
  socket.unref();
  let come = Buffer.alloc(0);
  let failure: Error | null = null;
  let waiting: { resolve(answer: T): void; reject(error: Error): void } | null = null;

  function fail(error: Error) {
    failure ??= error;
    socket.destroy();
    waiting?.reject(failure);
    waiting = null;
  }
  socket.on('error', fail);
  socket.on('close', () => fail(new Error(`the connection to ${hostname}:${port} was closed`)));
  socket.on('data', (chunk: Buffer) => {
    come = Buffer.concat([come, chunk]);
    if (!waiting) return;
    try {
      const parsed = parse(come);
      if (!parsed) return;
      come = come.subarray(parsed.length);
      const { resolve } = waiting;
      waiting = null;
      resolve(parsed.answer);
    } catch (error) {
      fail(error as Error);
    }
  });

  let last: Promise<unknown> = Promise.resolve();
  const ask = (request: Buffer) => {
    const asked = last.then(
      () =>
        new Promise<T>((resolve, reject) => {
          if (failure) return reject(failure);
          // An unanswered socket does not keep the process alive, and neither may its timer let it end before the answer.
          const timer = setTimeout(() => fail(new Error(`no answer from ${hostname}:${port} within ${PATIENCE_MS} ms`)), PATIENCE_MS);
          const over = () => clearTimeout(timer);
          waiting = {
            resolve: (answer) => (over(), resolve(answer)),
            reject: (error) => (over(), reject(error)),
          };
          socket.write(request);
        }),
    );
    last = asked.catch(() => {});
    return asked;
  };
  return { ask, end: () => socket.destroy() };
}

/** Connections by address, each opened when it is first needed, and again when it has failed. */
export function connections<T>(open: (url: string) => Promise<Connection<T>>) {
  const known = new Map<string, Promise<Connection<T>>>();
  return async (url: string, request: Buffer): Promise<T> => {
    let connection = known.get(url);
    if (!connection) known.set(url, (connection = open(url)));
    try {
      return await (await connection).ask(request);
    } catch (error) {
      if (known.get(url) === connection) known.delete(url);
      throw error;
    }
  };
}
