import { forEachChange, formatValue } from '../comparison.ts';

/** Clients build URLs from the defaults of server variables. */
export const serverVariableChanged = forEachChange(
  'server-variable-changed',
  ({ typeName, property, base, revision }) =>
    typeName === 'ServerVariable' && property === 'default'
      ? `The variable was ${formatValue(base?.value)} by default and is ${formatValue(revision?.value)}.`
      : undefined,
);
