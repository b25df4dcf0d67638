import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProxy, type Proxy } from '../../src/services/proxy.ts';

/** A service that says back what it hears, behind two proxies: one that is disturbed, and one by which it can be told that time has passed. */
let server: Server;
let proxy: Proxy;
let beside: Proxy;
const heard: string[] = [];
const sockets: Socket[] = [];

beforeEach(async () => {
  heard.length = 0;
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard.push(String(chunk));
      socket.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = { hostname: '127.0.0.1', port: (server.address() as AddressInfo).port };
  [proxy, beside] = await Promise.all([openProxy(at), openProxy(at)]);
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const open of [proxy, beside]) open.close();
  server.close();
});

async function client({ port }: Proxy): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function roundTrip(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  return String((await once(socket, 'data'))[0]);
}

/** What comes first when a disturbance is over. */
async function firstAfter(restore: () => void, socket: Socket): Promise<string> {
  const answer = once(socket, 'data');
  restore();
  return String((await answer)[0]);
}

/** Not by `once`, which rejects when an error comes first. */
const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

/** So many answers come by the other way that this one's would have been among them. */
async function aWhile() {
  const other = await client(beside);
  for (let n = 0; n < 20; n++) await roundTrip(other, 'beside');
  other.destroy();
}

test('what is sent to the service in a partition arrives when it is over', async () => {
  const socket = await client(proxy);
  expect(await roundTrip(socket, 'before')).toBe('before');
  const restore = proxy.disturb({ is: 'partition', direction: 'to-service' });
  socket.write('amid');
  await aWhile();
  expect(heard).not.toContain('amid');
  expect(await firstAfter(restore, socket)).toBe('amid');
});

test('in the other direction the service hears, and its answer comes late', async () => {
  const socket = await client(proxy);
  await roundTrip(socket, 'before');
  const restore = proxy.disturb({ is: 'partition', direction: 'from-service' });
  let answered = false;
  socket.once('data', () => {
    answered = true;
  });
  socket.write('amid');
  await aWhile();
  expect(heard).toContain('amid');
  expect(answered).toBe(false);
  expect(await firstAfter(restore, socket)).toBe('amid');
});

test('a connection that is made in a partition is of no use before it is over', async () => {
  const restore = proxy.disturb({ is: 'partition', direction: 'both' });
  const socket = await client(proxy);
  socket.write('amid');
  await aWhile();
  expect(heard).not.toContain('amid');
  expect(await firstAfter(restore, socket)).toBe('amid');
});

test('a cut resets connections and refuses new ones', async () => {
  const socket = await client(proxy);
  await roundTrip(socket, 'before');
  const reset = closed(socket);
  const restore = proxy.disturb({ is: 'cut' });
  await reset;
  const refused = connect({ host: '127.0.0.1', port: proxy.port });
  refused.on('error', () => {});
  await closed(refused);
  expect(heard).toEqual(['before']);
  restore();
  expect(await roundTrip(await client(proxy), 'after')).toBe('after');
});

test('what is delayed arrives in its order, after what was sent later by another way', async () => {
  const socket = await client(proxy);
  const other = await client(beside);
  await roundTrip(socket, 'before');
  const restore = proxy.disturb({ is: 'delay', by_ms: 200 });
  const answers: string[] = [];
  socket.on('data', (chunk) => answers.push(String(chunk)));
  socket.write('late');
  await roundTrip(other, 'soon');
  restore();
  socket.write(' last');
  while (answers.join('') !== 'late last') await once(socket, 'data');
  expect(heard.join(' ')).toMatch(/^before soon late ?last$|^before soon late {2}last$/);
});

test('the end of a session reaches the service', async () => {
  const socket = await client(proxy);
  await roundTrip(socket, 'before');
  const [atService] = sockets.filter(({ localPort }) => localPort === (server.address() as AddressInfo).port) as [Socket];
  const ended = closed(atService);
  socket.destroy();
  await ended;
});
