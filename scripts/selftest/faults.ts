import type { Fault } from './run.ts';

export const faults: readonly Fault[] = [];
