import { connections, openConnection } from './connection.ts';

/** An answer of Redis. An error that stands within an answer is an Error there. */
export type Reply = string | number | null | Error | Reply[];

const call = connections<Reply>(async (url) => {
  const { hostname, port, password, username, pathname } = new URL(url);
  const connection = await openConnection({ hostname, port: Number(port || 6379) }, parseReply);
  if (password !== '')
    await connection.ask(command(['AUTH', ...(username === '' ? [] : [username]), decodeURIComponent(password)])).then(checked);
  if (pathname.length > 1) await connection.ask(command(['SELECT', pathname.slice(1)])).then(checked);
  return connection;
});

/** Sends one command to the server at `redis://host:port[/db]` and returns its answer. Rejects when there is none, or it is an error. */
export async function redisCall(url: string, ...words: (string | number)[]): Promise<Reply> {
  return checked(await call(url, command(words)));
}

function checked(reply: Reply): Reply {
  if (reply instanceof Error) throw reply;
  return reply;
}

function command(words: (string | number)[]): Buffer {
  const bulk = words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`);
  return Buffer.from(`*${words.length}\r\n${bulk.join('')}`);
}

/** RESP 2. */
function parseReply(come: Buffer, from = 0): { answer: Reply; length: number } | null {
  const end = come.indexOf('\r\n', from);
  if (end < 0) return null;
  const line = come.toString('utf8', from + 1, end);
  const next = end + 2;
  switch (String.fromCharCode(come[from] as number)) {
    case '+':
      return { answer: line, length: next };
    case '-':
      return { answer: new Error(`Redis: ${line}`), length: next };
    case ':':
      return { answer: Number(line), length: next };
    case '$': {
      const length = Number(line);
      if (length < 0) return { answer: null, length: next };
      return come.length < next + length + 2 ? null : { answer: come.toString('utf8', next, next + length), length: next + length + 2 };
    }
    case '*': {
      const answer: Reply[] = [];
      let at = next;
      for (let n = Number(line); n > 0; n--) {
        const item = parseReply(come, at);
        if (!item) return null;
        answer.push(item.answer);
        at = item.length;
      }
      return { answer, length: at };
    }
    default:
      throw new Error(`this is no answer of Redis: ${JSON.stringify(line.slice(0, 40))}`);
  }
}
