/** What every kind of lock is to the kernel, with the ledger that lies beside it: in the same service, which can so refuse what comes from a holder that was. */
export interface Lock {
  /** One attempt. Null: another has it. */
  acquire(): Promise<Held | null>;
  /** The events in the ledger, by id. */
  events(): Promise<string[]>;
}

export interface Held {
  /** What the ledger is fenced with; null: it is not fenced. */
  token: number | null;
  /** False: it is another's now. */
  renew(): Promise<boolean>;
  /** Appends an event, once, however often this holder asks. False: refused, because the lock is another's now. */
  append(id: string): Promise<boolean>;
  /** Frees the lock if it is still this holder's. False: it was not. */
  release(): Promise<boolean>;
}

export interface Place {
  url: string;
  /** Everything of this trial is below it. */
  namespace: string;
  session: string;
  ttlMs: number;
}
