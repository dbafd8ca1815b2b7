import type { Fault } from './fault.ts';
import { apiKilled } from './faults/api-killed.ts';
import { calm } from './faults/baseline.ts';
import { connectionsCut } from './faults/connections-dropped.ts';
import { noConnectionLeft } from './faults/connections-exhausted.ts';
import { databaseCrashed } from './faults/database-crashed.ts';
import { databaseFrozen } from './faults/database-frozen.ts';
import { databaseRestarted } from './faults/database-restarted.ts';
import { databaseSlow } from './faults/database-slow.ts';
import { failover } from './faults/failover.ts';
import { failoverSilent } from './faults/failover-silent.ts';
import { poolFull } from './faults/pool-exhausted.ts';
import { workerKilled } from './faults/worker-killed.ts';

/** Everything that is tried, in the order in which it is. */
export const faults: readonly Fault[] = [
  calm,
  databaseRestarted,
  databaseCrashed,
  connectionsCut,
  noConnectionLeft,
  poolFull,
  databaseSlow,
  databaseFrozen,
  failover,
  failoverSilent,
  apiKilled,
  workerKilled,
];
