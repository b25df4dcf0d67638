/** A time of a trial as it stands in messages: `2.310 s`. */
export function seconds(t_ms: number): string {
  return `${(t_ms / 1000).toFixed(3)} s`;
}

/** `s1 (token 4)`, as much of it as is known. */
export function holderName({ session, token }: { session: string | null; token: number | null }): string {
  if (token === null) return session ?? 'somebody';
  return session === null ? `token ${token}` : `${session} (token ${token})`;
}
