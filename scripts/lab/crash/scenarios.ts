import { damaged } from './corruption.ts';
import { killedInMigration } from './kill-during-migration.ts';
import { killed } from './kill-process.ts';
import { powerLost } from './power-loss.ts';
import type { Failing } from './scenario.ts';

export const kinds: readonly Failing[] = [killed, killedInMigration, powerLost, damaged];
