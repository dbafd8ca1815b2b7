import type { Check } from './check.ts';
import { changes } from './checks/changes.ts';
import { conformance } from './checks/conformance.ts';
import { coverage } from './checks/coverage.ts';
import { examples } from './checks/examples.ts';
import { generated } from './checks/generated.ts';
import { lint } from './checks/lint.ts';
import { parity } from './checks/parity.ts';
import { score } from './checks/score.ts';
import { workflows } from './checks/workflows.ts';

/** All checks, in the order of the report. */
export const contractChecks: readonly Check[] = [
  lint,
  score,
  generated,
  examples,
  changes,
  conformance,
  parity,
  workflows,
  coverage,
];
