const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of a run that a client asks for at that time: the library refuses one that is far from the present. */
export function runIdOf(now_ms: number): string {
  let time = '';
  for (let rest = now_ms, digit = 0; digit < 10; digit++, rest = Math.floor(rest / 32)) time = `${DIGITS[rest % 32]}${time}`;
  return `wrun_${time}${'0'.repeat(15)}1`;
}
