/** An estimate with the interval around it. An end is null where the sample is too small for a finite one. */
export interface Estimate {
  estimate: number;
  lower: number | null;
  upper: number | null;
}
