import type { Paint } from '../paint.ts';
import type { Result } from '../result.ts';
import { compareReport } from './compare.ts';
import { gateReport } from './gate.ts';
import { terminalReport } from './terminal.ts';

/** A result for a person at a terminal, in at most 100 columns where names allow. */
export function terminal(result: Result, paint: Paint): string {
  switch (result.of) {
    case 'run':
      return terminalReport(result.summary, result.records, paint);
    case 'compare':
      return compareReport(result.comparison, paint);
    case 'gate':
      return gateReport(result.gate, result.records, paint);
  }
}
