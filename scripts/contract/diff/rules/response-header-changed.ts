import { objectOf } from '../../../../server/lib/json-object.ts';
import { forEachChange, formatValue } from '../comparison.ts';

/** Clients rely on headers that are always there, and read them as the old contract states. */
export const responseHeaderChanged = forEachChange(
  'response-header-changed',
  ({ typeName, kind, property, path, base, revision }) => {
    // As text and as JSON, numbers are the same.
    const isNumber = /^(integer|number|boolean)$/.test(String(objectOf(base?.value).type));
    if (kind === 'removed' && /\/headers\/[^/]+\/(schema|content)$/.test(path) && !isNumber)
      return 'The value of the header is written in another way.';
    if (typeName !== 'Header' || !path.includes('/responses/')) return undefined;
    if (property === 'required' && base?.value === true) return 'The header may be missing now.';
    return property === 'explode' || property === 'style'
      ? `${property} was ${formatValue(base?.value)} and is ${formatValue(revision?.value)}.`
      : undefined;
  },
);
