import type { InjectedFault } from './fault.ts';
import { apiKilled } from './faults/api-killed.ts';
import { baseline } from './faults/baseline.ts';
import { connectionsDropped } from './faults/connections-dropped.ts';
import { connectionsExhausted } from './faults/connections-exhausted.ts';
import { databaseCrashed } from './faults/database-crashed.ts';
import { databaseFrozen } from './faults/database-frozen.ts';
import { databaseRestarted } from './faults/database-restarted.ts';
import { databaseSlow } from './faults/database-slow.ts';
import { failover } from './faults/failover.ts';
import { failoverSilent } from './faults/failover-silent.ts';
import { poolExhausted } from './faults/pool-exhausted.ts';
import { workerKilled } from './faults/worker-killed.ts';

/** All faults, in the order of their experiments. */
export const injectedFaults: readonly InjectedFault[] = [
  baseline,
  databaseRestarted,
  databaseCrashed,
  connectionsDropped,
  connectionsExhausted,
  poolExhausted,
  databaseSlow,
  databaseFrozen,
  failover,
  failoverSilent,
  apiKilled,
  workerKilled,
];
