import { damaged } from './damage.ts';
import { killed } from './kill.ts';
import { killedInMigration } from './migration.ts';
import type { Failing } from './outcome.ts';
import { powerLost } from './power.ts';

export const kinds: readonly Failing[] = [killed, killedInMigration, powerLost, damaged];
