import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { PATIENCE_MS } from './connection.ts';

/*
 * etcd through its JSON gateway: keys and values are in base64, 64-bit numbers are strings, and what is zero or empty is left out.
 */

export interface KeyValue {
  key: string;
  value: string;
  create_revision: string;
  mod_revision: string;
  lease?: string;
}

export interface RangeResponse {
  header: { revision: string };
  kvs?: KeyValue[];
}

/** What is looked at many times in a second costs half as much over connections that are kept as with `fetch`. */
const agent = new Agent({ keepAlive: true });

/** Calls `/v3/<path>` and returns the answer. Rejects when there is none, or it is an error. */
export async function etcdCall<T>(url: string, path: string, body: object): Promise<T> {
  const asked = request(`${url}/v3/${path}`, { agent, method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) });
  // Once the answer has begun, its own error tells of it.
  asked.on('error', () => {});
  asked.end(JSON.stringify(body));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`etcd answered /v3/${path} with ${response.statusCode}: ${answer.slice(0, 200)}`);
  return JSON.parse(answer) as T;
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function decode(text = ''): string {
  return Buffer.from(text, 'base64').toString();
}

/** The range of all keys that begin with this text, which must end below the last character. */
export function withPrefix(prefix: string): { key: string; range_end: string } {
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end.at(-1) ?? 0) + 1;
  return { key: encode(prefix), range_end: end.toString('base64') };
}
