import type { Held, Lock, Place } from '../lock.ts';
import { untilAnswered } from '../patience.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');
const decode = (text: string) => Buffer.from(text, 'base64').toString();

interface KeyValue {
  key: string;
  value: string;
  lease?: string;
}

/** A key that is attached to a lease, through etcd's JSON gateway. The ledger is a key for each event, written in a transaction that compares the lock's revision. */
export async function open({ url, namespace, session, ttlMs }: Place): Promise<Lock> {
  const lock = encode(`${namespace}/lock`);
  const event = (id: string) => encode(`${namespace}/events/${id}`);

  const call = <T>(path: string, body: object) =>
    untilAnswered(async () => {
      const response = await fetch(`${url}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
      const answer = await response.json();
      // Of a lease that is gone nothing more is to be had by asking again.
      if (!response.ok && !/lease not found/.test(JSON.stringify(answer))) throw new Error(JSON.stringify(answer));
      return answer as T;
    });

  async function acquire(): Promise<Held | null> {
    const { kvs } = await call<{ kvs?: KeyValue[] }>('kv/range', { key: lock });
    if (kvs) return null;
    const { ID } = await call<{ ID: string }>('lease/grant', { TTL: Math.ceil(ttlMs / 1000) });
    const isFree = { key: lock, target: 'CREATE', result: 'EQUAL', create_revision: '0' };
    const put = { request_put: { key: lock, value: encode(session), lease: ID } };
    const get = { request_range: { key: lock } };
    const { succeeded, header, responses } = await call<{
      succeeded?: boolean;
      header: { revision: string };
      responses?: { response_range?: { kvs?: (KeyValue & { mod_revision: string })[] } }[];
    }>('kv/txn', { compare: [isFree], success: [put], failure: [get] });
    // An attempt whose answer was lost is made again, and finds what it did the first time.
    const [found] = responses?.[0]?.response_range?.kvs ?? [];
    if (succeeded) return held(ID, header.revision);
    return found?.lease === ID ? held(ID, found.mod_revision) : null;
  }

  function held(ID: string, revision: string): Held {
    // A thief that overwrites the key leaves its create_revision as it was.
    // #component etcd-fence
    const isMine = { key: lock, target: 'MOD', result: 'EQUAL', mod_revision: revision };
    // #end
    return {
      token: Number(revision),
      async renew() {
        const { result } = await call<{ result?: { TTL?: string } }>('lease/keepalive', { ID });
        return Number(result?.TTL ?? 0) > 0;
      },
      async append(id) {
        const put = { request_put: { key: event(id), value: encode(JSON.stringify({ session, token: Number(revision) })) } };
        const { succeeded } = await call<{ succeeded?: boolean }>('kv/txn', { compare: [isMine], success: [put] });
        return succeeded === true;
      },
      async release() {
        const free = { request_delete_range: { key: lock } };
        const { succeeded } = await call<{ succeeded?: boolean }>('kv/txn', { compare: [isMine], success: [free] });
        await call('lease/revoke', { ID });
        return succeeded === true;
      },
    };
  }

  return {
    acquire,
    async events() {
      const end = encode(`${namespace}/events0`);
      const { kvs = [] } = await call<{ kvs?: KeyValue[] }>('kv/range', { key: encode(`${namespace}/events/`), range_end: end });
      return kvs.map(({ key }) => decode(key).slice(`${namespace}/events/`.length));
    },
  };
}
