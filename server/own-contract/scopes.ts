import document from '../../generated/openapi.json' with { type: 'json' };
import { operations } from '../../generated/operations.ts';

/** Scopes that an operation requires only for some requests. */
const conditional = Object.values(document.paths)
  .flatMap((path) => Object.values(path))
  .flatMap((operation) => ('x-conditional-scopes' in operation ? operation['x-conditional-scopes'] : []));

/** All scopes that the contract's operations require, sorted. */
export const scopes: readonly string[] = [
  ...new Set([
    ...Object.values(operations).flatMap(({ security }) =>
      security.flatMap((alternative) => Object.values(alternative).flat()),
    ),
    ...conditional.map(({ scope }) => scope),
  ]),
].sort();
