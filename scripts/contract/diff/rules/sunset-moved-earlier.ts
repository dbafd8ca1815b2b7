import { forEachChange } from '../comparison.ts';

/** Clients rely on the announced sunset date. */
export const sunsetMovedEarlier = forEachChange('sunset-moved-earlier', ({ property, base, revision }) => {
  if (property !== 'x-sunset' || typeof base?.value !== 'string') return undefined;
  const next = typeof revision?.value === 'string' ? revision.value : undefined;
  return next !== undefined && next < base.value
    ? `It was promised until ${base.value}, and is until ${next} only.`
    : undefined;
});
