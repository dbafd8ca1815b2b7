import { isObject } from '../../../../server/lib/json-object.ts';
import { forEachChange } from '../comparison.ts';

export const requiredBodyAdded = forEachChange('required-body-added', ({ typeName, kind, path, revision }) =>
  typeName === 'RequestBody' &&
  kind === 'added' &&
  path.startsWith('/paths/') &&
  !path.includes('/callbacks/') &&
  isObject(revision?.value) &&
  revision.value.required === true
    ? 'A request body became required.'
    : undefined,
);
