import { forEachChange } from '../comparison.ts';

export const responseHeaderBecameOptional = forEachChange(
  'response-header-became-optional',
  ({ typeName, property, base, revision }) =>
    typeName === 'Header' && property === 'required' && base?.value === true && revision?.value !== true
      ? 'The header may be missing now.'
      : undefined,
);
