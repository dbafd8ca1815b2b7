import {
  type ConformanceOptions,
  type ConformanceReport,
  runConformance,
} from '../../../../scripts/testing/conformance/run.ts';
import { contractOf } from '../../../support/contract-of.ts';

/** Tests a function that responds to requests, in place of a service. */
export const conformanceOf = (
  document: object,
  send: ConformanceOptions['send'],
  {
    phases,
    runs,
    only = [],
  }: Pick<ConformanceOptions, 'phases' | 'runs'> & Partial<Pick<ConformanceOptions, 'only'>>,
): Promise<ConformanceReport> =>
  runConformance({
    ...{ contract: contractOf(document), send, phases, runs, only },
    ...{ base: 'http://127.0.0.1', credentials: { headers: {}, query: {} }, seed: 7 },
    pause: async () => {},
  });
