import { InvalidArgumentError, Option } from 'commander';
import { SERVICE_KINDS, type ServiceKind } from '../campaign/campaign.ts';
import { SHARDS_MAX } from '../campaign-run/shard.ts';
import { type Margin, parseMargin } from '../compare/margin.ts';
import type { Shard } from '../judge/run-summary.ts';

/** Gathers names that are separated by commas or given by repeating the option. */
export function names(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').filter((name) => name !== '')];
}

export function positiveInteger(text: string): number {
  const n = Number(text);
  if (!Number.isSafeInteger(n) || n < 1) throw new InvalidArgumentError('Write a whole number from 1.');
  return n;
}

/** More than this no machine has processors for, and each of them is a kernel's process. */
const WORKERS_MAX = 1024;

/** Trials that run at once. */
export function workerCount(text: string): number {
  const n = positiveInteger(text);
  if (n > WORKERS_MAX) throw new InvalidArgumentError(`Write a whole number up to ${WORKERS_MAX}.`);
  return n;
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `60s`, `1.5m`: in milliseconds. */
export function duration(text: string): number {
  const [, n, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(n) * (UNIT_MS[unit] ?? Number.NaN);
  // Node's timers go no further.
  if (!(ms >= 1 && ms < 2 ** 31)) throw new InvalidArgumentError('Write a duration up to 24 days, e.g. 60s, 5m or 1h.');
  return ms;
}

export function seed(text: string): number {
  const n = Number(text);
  if (text === '' || !Number.isSafeInteger(n) || n < 0) throw new InvalidArgumentError('A seed is a whole number from 0.');
  return n;
}

/** `10%`, `500ms`. */
function margin(text: string): Margin {
  const parsed = parseMargin(text);
  if (parsed === null) throw new InvalidArgumentError('Write a share like 10%, or a time like 500ms or 2s.');
  return parsed;
}

/** `3/8`: the third of eight. */
export function shard(text: string): Shard {
  const [, index, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index === undefined || of === undefined || index < 1 || index > of || of > SHARDS_MAX)
    throw new InvalidArgumentError(
      `Write the shard and how many there are, from 1/${SHARDS_MAX} to ${SHARDS_MAX}/${SHARDS_MAX}, e.g. 3/8.`,
    );
  return { index, of };
}

type Running = Partial<Record<ServiceKind, string>>;

/** An address of each kind, as the harness speaks to it: in the clear, and so over loopback. */
const ADDRESSES: Record<ServiceKind, string> = {
  etcd: 'http://127.0.0.1:2379',
  postgres: 'postgresql://postgres@127.0.0.1:5432/postgres',
  redis: 'redis://127.0.0.1:6379',
  'redis-aof': 'redis://127.0.0.1:6379',
};

/** Gathers `--service KIND=URL`. */
function service(text: string, before: Running = {}): Running {
  const [, kind = '', url = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  const known = SERVICE_KINDS.find((name) => name === kind);
  if (!known) throw new InvalidArgumentError(`Write one of ${SERVICE_KINDS.join(', ')} and its address, e.g. etcd=${ADDRESSES.etcd}.`);
  if (URL.parse(url)?.protocol !== new URL(ADDRESSES[known]).protocol)
    throw new InvalidArgumentError(`Write the address of ${known} as ${known}=${ADDRESSES[known]}.`);
  return { ...before, [known]: url.replace(/\/$/, '') };
}

export const SERVICE_OPTION = new Option(
  '--service <kind=url>',
  'use this service, which runs already, and start none of that kind',
).argParser(service);

/** `redis://…`: the Redis that a run and its workers share. */
export function redisUrl(text: string): string {
  const { protocol = '', pathname = '' } = URL.parse(text) ?? {};
  if (!/^rediss?:$/.test(protocol) || !/^\/?\d*$/.test(pathname))
    throw new InvalidArgumentError('Write e.g. redis://127.0.0.1:6379 or rediss://:PASSWORD@HOST:PORT/DATABASE, a number.');
  return text;
}

/** `1%`: as a share. */
export function percentage(text: string): number {
  const share = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]) / 100;
  if (!(share > 0 && share <= 1)) throw new InvalidArgumentError('Write a share above 0% and up to 100%, e.g. 1%.');
  return share;
}

export const KEEP_OPTION = new Option('--keep <which>', 'trials whose state, logs and history are kept')
  .choices(['failed', 'all', 'none'])
  .default('failed');

export const MARGIN_OPTION = new Option('--margin <margin>', 'what is tolerated, e.g. 10% or 500ms')
  .argParser(margin)
  .default({ relative: 0.05 });
