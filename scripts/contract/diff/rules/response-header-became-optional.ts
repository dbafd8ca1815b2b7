import { forEachChange } from '../comparison.ts';

export const responseHeaderBecameOptional = forEachChange(
  'response-header-became-optional',
  ({ typeName, property, path, base, revision }) =>
    typeName === 'Header' &&
    path.includes('/responses/') &&
    property === 'required' &&
    base?.value === true &&
    revision?.value !== true
      ? 'The header may be missing now.'
      : undefined,
);
