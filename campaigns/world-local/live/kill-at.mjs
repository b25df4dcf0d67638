/**
 * Preloaded into a session on the real clock: kills it at the n-th call of a kind on a path, with nothing else changed. KILL_AT is `link(.terminal)#1`, with `+` after the call; the text in brackets is what the
 * path ends in, or what stands in it. `open` is a file that has been made and not yet written.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, kind = '', part = '', nth = '1', after = ''] = /^(\w+)\((.*)\)#(\d+)(\+?)$/.exec(process.env.KILL_AT ?? '') ?? [];
let seen = 0;

/** @param {unknown[]} args */
function isIt(args) {
  return args.slice(0, 2).some((arg) => typeof arg === 'string' && arg.includes(part)) && ++seen === Number(nth);
}

function die() {
  process.kill(process.pid, 'SIGKILL');
}

const promises = /** @type {Record<string, (...args: any[]) => Promise<unknown>>} */ (/** @type {unknown} */ (fs.promises));
const callbacks = /** @type {Record<string, (...args: any[]) => unknown>} */ (/** @type {unknown} */ (fs));
if (kind === 'open') {
  const { writeFile } = fs.promises;
  promises.writeFile = async (path, ...rest) => {
    if (isIt([path])) {
      fs.closeSync(fs.openSync(path, 'w'));
      die();
    }
    return writeFile(path, .../** @type {[string]} */ (rest));
  };
} else {
  const promised = promises[kind]?.bind(fs.promises);
  promises[kind] = async (...args) => {
    const now = isIt(args);
    if (now && !after) die();
    const result = await promised?.(...args);
    if (now) die();
    return result;
  };
  const called = callbacks[kind]?.bind(fs);
  callbacks[kind] = (...args) => {
    const now = isIt(args);
    if (now && !after) die();
    const then = args.at(-1);
    return called?.(...args.slice(0, -1), (/** @type {unknown[]} */ ...results) => {
      if (now) die();
      then(...results);
    });
  };
}
syncBuiltinESMExports();
