import { forEachChange } from '../comparison.ts';

export const responsesRemoved = forEachChange('responses-removed', ({ typeName, kind }) =>
  typeName === 'Responses' && kind === 'removed' ? 'No answer is promised any more.' : undefined,
);
