import { forEachChange, formatValue } from '../comparison.ts';

/** Clients build URLs from server variables. */
export const serverVariableChanged = forEachChange(
  'server-variable-changed',
  ({ typeName, kind, property, base, revision }) => {
    if (typeName !== 'ServerVariable') return undefined;
    if (kind === 'removed') return 'The variable of the server URL is removed.';
    if (property === 'default')
      return `The variable was ${formatValue(base?.value)} by default and is ${formatValue(revision?.value)}.`;
    if (property === 'enum' && base?.value === undefined) return 'The variable is limited to certain values.';
    const [old, next] = [base?.value, revision?.value].map((value) => (Array.isArray(value) ? value : []));
    const lost = (old ?? []).filter((value) => !next?.includes(value));
    return property === 'enum' && lost.length > 0 && revision?.value !== undefined
      ? `The variable can no longer be ${lost.map(formatValue).join(', ')}.`
      : undefined;
  },
);
