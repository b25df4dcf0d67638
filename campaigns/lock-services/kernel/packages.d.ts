/* As much of the subjects' packages as the kernel uses: they are installed for the subjects alone. */

declare module 'ioredis' {
  export class Redis {
    constructor(url: string, options: object);
    on(event: string, listener: () => void): void;
    eval(script: string, keys: number, ...words: (string | number)[]): Promise<unknown>;
    get(key: string): Promise<string | null>;
    hset(key: string, field: string, value: string): Promise<number>;
    lrange(key: string, from: number, to: number): Promise<string[]>;
  }
}

declare module 'redlock' {
  interface Lock {
    value: string | null;
    extend(ttl: number): Promise<Lock>;
    unlock(): Promise<void>;
  }
  export default class Redlock {
    constructor(clients: object[], options: object);
    lock(resource: string, ttl: number): Promise<Lock>;
  }
}

declare module 'pg' {
  export class Client {
    constructor(options: object);
    on(event: string, listener: () => void): void;
    connect(): Promise<void>;
    end(): Promise<void>;
    query(sql: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  }
  const pg: { Client: typeof Client };
  export default pg;
}
