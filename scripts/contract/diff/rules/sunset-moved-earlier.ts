import { isObject } from '../../../../server/lib/json-object.ts';
import { resolvePointer } from '../../../lib/json-pointer.ts';
import { type Comparison, forEachChange } from '../comparison.ts';

/** Clients rely on the announced sunset date. */
export const sunsetMovedEarlier = (comparison: Comparison) =>
  forEachChange('sunset-moved-earlier', ({ property, path, base, revision }) => {
    if (property !== 'x-sunset' || typeof base?.value !== 'string') return undefined;
    const { value: next } = revision ?? {};
    if (typeof next === 'string')
      return next < base.value ? `The sunset date moved from ${base.value} to ${next}.` : undefined;
    const node = resolvePointer(comparison.after, (revision?.pointer ?? path).replace(/\/x-sunset$/, ''));
    return isObject(node) && node.deprecated === true
      ? `The sunset date ${base.value} is removed, but not the deprecation.`
      : undefined;
  })(comparison);
