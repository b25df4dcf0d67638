/**
 * The greatest chance of failure that `trials` independent trials without a failure leave possible: with a greater one, so many in a row
 * would hold with less than 5 % (or `1 − confidence`). Exact: the upper end of the one-sided interval of Clopper and Pearson, "The use of confidence or fiducial limits
 * illustrated in the case of the binomial", Biometrika 26 (1934), 404–413, which for no failures is 1 − (1 − confidence)^(1 / trials). 1 without trials.
 */
export function failureBound(trials: number, confidence = 0.95): number {
  return 1 - (1 - confidence) ** (1 / trials);
}
