import { forEachChange, shown } from '../comparison.ts';

/** How a part of a body is written. */
export const encodingChanged = forEachChange(
  'encoding-changed',
  ({ typeName, kind, property, base, revision }) => {
    if (typeName !== 'Encoding' || kind === 'added') return undefined;
    return kind === 'removed'
      ? 'How this part is written is not said any more.'
      : `${property} of this part was ${shown(base?.value)} and is ${shown(revision?.value)}.`;
  },
);
