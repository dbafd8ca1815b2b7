import { objectOf } from '../../../../server/lib/json-object.ts';
import { forEachChange, formatValue } from '../comparison.ts';

export const responseHeaderSerializationChanged = forEachChange(
  'response-header-serialization-changed',
  ({ typeName, kind, property, path, base, revision }) => {
    // As text and as JSON, numbers are the same.
    const isNumber = /^(integer|number|boolean)$/.test(String(objectOf(base?.value).type));
    if (kind === 'removed' && /\/headers\/[^/]+\/(schema|content)$/.test(path) && !isNumber)
      return 'The value of the header is written in another way.';
    return typeName === 'Header' && (property === 'explode' || property === 'style')
      ? `${property} was ${formatValue(base?.value)} and is ${formatValue(revision?.value)}.`
      : undefined;
  },
);
