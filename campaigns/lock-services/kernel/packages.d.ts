/* As much of the subjects' packages as the kernel uses: they are installed for the subjects alone. */

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
