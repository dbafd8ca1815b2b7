import { forEachChange } from '../comparison.ts';

/** Clients rely on the announced sunset date. */
export const sunsetMovedEarlier = forEachChange('sunset-moved-earlier', ({ property, base, revision }) => {
  if (property !== 'x-sunset' || typeof base?.value !== 'string') return undefined;
  const next = typeof revision?.value === 'string' ? revision.value : undefined;
  return next !== undefined && next < base.value
    ? `The sunset date moved from ${base.value} to ${next}.`
    : undefined;
});
