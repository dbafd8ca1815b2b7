import { forEachChange, formatValue } from '../comparison.ts';

/** Clients encode the parts of a body as the old contract states. */
export const encodingChanged = forEachChange(
  'encoding-changed',
  ({ typeName, kind, property, base, revision }) => {
    if (!/^Encoding(Map)?$/.test(typeName)) return undefined;
    if (kind === 'added') return 'The encoding is specified now, and was not.';
    if (kind === 'removed') return 'The encoding is no longer specified.';
    // Additional content types do not break clients.
    const [old, next] = [base?.value, revision?.value].map((value) => String(value ?? '').split(/\s*,\s*/));
    if (property === 'contentType' && old?.every((each) => next?.includes(each))) return undefined;
    return `${property} of this part was ${formatValue(base?.value)} and is ${formatValue(revision?.value)}.`;
  },
);
