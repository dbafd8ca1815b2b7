import { operations } from '../../generated/operations.ts';

/** Every scope that an operation of the contract asks for, in the order of the alphabet. */
export const scopes: readonly string[] = [
  ...new Set(
    Object.values(operations).flatMap(({ security }) =>
      security.flatMap((alternative) => Object.values(alternative).flat()),
    ),
  ),
].sort();
