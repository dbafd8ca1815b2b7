import { forEachChange } from '../comparison.ts';

/** Clients send the properties of a parameter by their names, as they send parameters. */
export const propertyOfParameterRemoved = forEachChange(
  'property-of-parameter-removed',
  ({ kind, path }, directions) => {
    const [, name] =
      /\/parameters\/\d+(?:\/content\/[^/]+)?\/schema(?:\/.*)?\/properties\/([^/]+)$/.exec(path) ?? [];
    return kind === 'removed' && name !== undefined && directions.has('requests')
      ? `The parameter no longer has the property ${name}.`
      : undefined;
  },
);
