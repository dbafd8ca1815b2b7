import { forEachChange, formatValue } from '../comparison.ts';

/** Generated clients choose a class by the discriminator, so a change can make them choose the wrong one. */
export const discriminatorChanged = forEachChange(
  'discriminator-changed',
  ({ kind, property, path, base, revision }) => {
    if (!/\/discriminator(\/|$)/.test(path)) return undefined;
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (property === 'propertyName')
      return `The discriminator was ${formatValue(base?.value)} and is ${formatValue(revision?.value)}.`;
    if (kind === 'removed')
      return name === 'discriminator'
        ? 'The discriminator is removed.'
        : `The discriminator no longer maps ${name}.`;
    return kind === 'modified' ? `The discriminator maps ${name} to another schema.` : undefined;
  },
);
