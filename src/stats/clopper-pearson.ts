/**
 * The exact upper bound of a probability: had an event that came `count` times in `n` independent trials a greater one, it would have come more
 * often with at least this confidence. With a count of 0 it is `1 - (1 - confidence) ** (1 / n)`, about `3 / n` at 95 % (the rule of three).
 *
 * It also holds for the mean of probabilities that differ from trial to trial, when the count is 0 (Hoeffding 1956): no event in all is then likeliest if they are equal.
 * @param confidence one-sided, between 0 and 1
 * @see Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934)
 */
export function upperBound(count: number, n: number, confidence: number): number {
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(n) || count < 0 || count > n)
    throw new RangeError(`upperBound(${count}, ${n}): give two whole numbers, the first from 0 to the second`);
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`upperBound: the confidence ${confidence} does not lie between 0 and 1`);
  if (count === n) return 1;
  if (count === 0) return -Math.expm1(Math.log1p(-confidence) / n);
  // That probability at which so few events are just as likely as the confidence leaves room for.
  let [low, high] = [count / n, 1];
  for (let middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (atMost(count, n, middle) > 1 - confidence) low = middle;
    else high = middle;
  }
  return high;
}

/** The exact interval of a probability, two-sided: each of its ends is a bound with half of what the confidence leaves. For n = 0 it is all from 0 to 1. */
export function clopperPearson(count: number, n: number, confidence: number): { lower: number; upper: number } {
  const oneSided = (1 + confidence) / 2;
  return n === 0 ? { lower: 0, upper: 1 } : { lower: 1 - upperBound(n - count, n, oneSided), upper: upperBound(count, n, oneSided) };
}

/** The probability of at most `count` events in `n` trials, for p strictly between 0 and 1. */
function atMost(count: number, n: number, p: number): number {
  let logTerm = n * Math.log1p(-p);
  let sum = Math.exp(logTerm);
  for (let k = 1; k <= count; k += 1) {
    logTerm += Math.log((n - k + 1) / k) + Math.log(p) - Math.log1p(-p);
    sum += Math.exp(logTerm);
  }
  return sum;
}
