import { documentedType } from '../../../../server/contract/media-type.ts';
import { type JsonObject, objectOf } from '../../../../server/lib/json-object.ts';
import { forEachChange, formatValue } from '../comparison.ts';

/** Clients encode the parts of a body as the old contract states. */
export const encodingChanged = forEachChange(
  'encoding-changed',
  ({ typeName, kind, property, path, base, revision }) => {
    const [was, is] = [base?.value, revision?.value];
    if (/^Header(sMap)?$/.test(typeName) && path.includes('/encoding/')) {
      const headers = typeName === 'HeadersMap' ? Object.values(objectOf(is)) : [is];
      const isNeeded = property === 'required' ? is === true : kind === 'added' && headers.some(isRequired);
      return isNeeded ? 'This part needs a header now.' : undefined;
    }
    if (!/^Encoding(Map)?$/.test(typeName)) return undefined;
    if (kind !== 'modified') {
      const parts = typeName === 'EncodingMap' ? Object.values(objectOf(was ?? is)) : [was ?? is];
      const isAdded = kind === 'added';
      if (!parts.map(objectOf).some((part) => isEncoded(part) || (!isAdded && part.allowReserved === true)))
        return undefined;
      return isAdded ? 'The encoding is specified now, and was not.' : 'The encoding is no longer specified.';
    }
    if (property === 'allowReserved' && is === true) return undefined;
    // Additional content types do not break clients.
    const [old = [], next = []] = [was, is].map((value) => String(value ?? '').split(', '));
    if (property === 'contentType' && old.every((each) => documentedType(next, each) !== undefined))
      return undefined;
    return `${property} of this part was ${formatValue(was)} and is ${formatValue(is)}.`;
  },
);

const isRequired = (header: unknown): boolean => objectOf(header).required === true;

const isEncoded = ({ contentType, style, explode, headers }: JsonObject): boolean =>
  [contentType, style, explode].some((each) => each !== undefined) ||
  Object.values(objectOf(headers)).some(isRequired);
