import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** Whether somebody listens there. */
export const answers = (url: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** Segments of shared memory that nobody is attached to, by their identifiers. */
export function segments(): string[] {
  const [, ...rows] = readFileSync('/proc/sysvipc/shm', 'utf8').trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , , , , attached]) => attached === '0')
    .map(([, id = '']) => id);
}
