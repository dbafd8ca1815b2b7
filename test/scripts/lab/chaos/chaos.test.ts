import { expect, test } from 'vitest';
import { injectedFaults, runExperiment } from '../../../../scripts/lab/chaos/faults.ts';
import { findPostgresBinaries } from '../../../../scripts/lib/postgres-server.ts';
import { isLong } from '../../../support/sampling.ts';

// The experiments run only in `npm run test:long`. In `npm test`, each fault has a separate test, without load.
test.runIf(isLong && findPostgresBinaries()).each(injectedFaults)(
  'no acknowledged write and no event is lost when: $what',
  async (fault) => {
    const { acknowledged, violation, wrong } = await runExperiment(fault);
    expect([violation, wrong]).toEqual([undefined, []]);
    expect(acknowledged).toBeGreaterThan(20);
  },
);
