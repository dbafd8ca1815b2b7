import { forEachChange, formatValue } from '../comparison.ts';

/** Generated clients choose a class by the discriminator. */
export const discriminatorChanged = forEachChange(
  'discriminator-changed',
  ({ kind, property, path, base, revision }) => {
    if (!/\/discriminator(\/|$)/.test(path)) return undefined;
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (property === 'propertyName')
      return `Kinds were told by ${formatValue(base?.value)} and are told by ${formatValue(revision?.value)}.`;
    if (kind === 'removed')
      return name === 'discriminator'
        ? 'Kinds are not told by a property any more.'
        : `${name} names no kind any more.`;
    return kind === 'modified' ? `${name} names another kind.` : undefined;
  },
);
