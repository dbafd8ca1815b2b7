import { corruption } from './corruption.ts';
import { killDuringMigration } from './kill-during-migration.ts';
import { killProcessScenario } from './kill-process.ts';
import { powerLoss } from './power-loss.ts';
import type { CrashScenario } from './scenario.ts';

export const crashScenarios: readonly CrashScenario[] = [
  killProcessScenario,
  killDuringMigration,
  powerLoss,
  corruption,
];
