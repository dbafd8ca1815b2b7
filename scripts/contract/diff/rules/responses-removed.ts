import { forEachChange } from '../comparison.ts';

export const responsesRemoved = forEachChange('responses-removed', ({ typeName, kind }) =>
  typeName === 'Responses' && kind === 'removed' ? 'No response is documented any longer.' : undefined,
);
