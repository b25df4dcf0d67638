import { type Connection, connections, openConnection } from './connection.ts';

/** A row by its columns' names. Values are text, as the server writes it. */
export type Row = Record<string, string | null>;

const query = connections(openPostgres);

/**
 * Runs SQL on the server at `postgresql://user@host:port/database` and returns the rows of all its statements. Values go into the text with `literal`.
 * Rejects when there is no answer, or an error. Only a server that trusts the user is spoken to: those that the harness starts do.
 */
export function postgresQuery(url: string, sql: string): Promise<Row[]> {
  return query(url, queryOf(sql));
}

/** A connection of its own, for what lives as long as it does. */
export async function openPostgres(
  url: string,
  name = 'crash-campaign',
): Promise<Connection<Row[]> & { query(sql: string): Promise<Row[]> }> {
  const { hostname, port, username, pathname } = new URL(url);
  const connection = await openConnection({ hostname, port: Number(port || 5432) }, parseAnswer);
  const user = decodeURIComponent(username) || 'postgres';
  const settings = ['user', user, 'database', pathname.slice(1) || user, 'application_name', name, ''].join('\0');
  const body = Buffer.concat([int32(196_608), Buffer.from(`${settings}\0`)]);
  await connection.ask(Buffer.concat([int32(body.length + 4), body]));
  return { ...connection, query: (sql) => connection.ask(queryOf(sql)) };
}

export function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

/** A message of the simple query protocol. */
function queryOf(sql: string): Buffer {
  const body = Buffer.from(`${sql}\0`);
  return Buffer.concat([Buffer.from('Q'), int32(body.length + 4), body]);
}

function int32(n: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(n);
  return bytes;
}

/** Everything up to the message that says that the server is ready for the next. */
function parseAnswer(come: Buffer): { answer: Row[]; length: number } | null {
  const rows: Row[] = [];
  let columns: string[] = [];
  let failure: Error | null = null;
  for (let at = 0; at + 5 <= come.length; ) {
    const end = at + 1 + come.readInt32BE(at + 1);
    if (end > come.length) return null;
    const body = come.subarray(at + 5, end);
    switch (String.fromCharCode(come[at] as number)) {
      case 'R':
        if (body.readInt32BE(0) !== 0) throw new Error('PostgreSQL asks for a password: let it trust this user (pg_hba.conf)');
        break;
      case 'T':
        columns = namesOf(body);
        break;
      case 'D':
        rows.push(rowOf(body, columns));
        break;
      case 'E':
        failure = new Error(`PostgreSQL: ${textOf(body)}`);
        // Of a connection that it refuses nothing more comes.
        if (/^S(FATAL|PANIC)/.test(body.toString('latin1'))) throw failure;
        break;
      case 'Z':
        if (failure) throw failure;
        return { answer: rows, length: end };
    }
    at = end;
  }
  return null;
}

function namesOf(body: Buffer): string[] {
  const names: string[] = [];
  for (let n = body.readInt16BE(0), at = 2; n > 0; n--) {
    const end = body.indexOf(0, at);
    names.push(body.toString('utf8', at, end));
    at = end + 19;
  }
  return names;
}

function rowOf(body: Buffer, columns: string[]): Row {
  let at = 2;
  return Object.fromEntries(
    columns.map((name) => {
      const length = body.readInt32BE(at);
      const value = length < 0 ? null : body.toString('utf8', at + 4, at + 4 + length);
      at += 4 + Math.max(0, length);
      return [name, value];
    }),
  );
}

function textOf(body: Buffer): string {
  return (
    body
      .toString('utf8')
      .split('\0')
      .find((field) => field.startsWith('M'))
      ?.slice(1) ?? 'an error without a text'
  );
}
