import { resolvePointer } from '../../testing/schema-values/json-pointer.ts';
import { isObject, isSchema } from '../../testing/schema-values/schema.ts';
import type { Comparison } from './comparison.ts';
import { openObjects } from './reader-writer-views.ts';
import type { ListedChange } from './redocly-diff.ts';
import type { SchemaLocation } from './schema-locations.ts';
import { isSubset } from './schema-subset.ts';

/** Redocly's rules about what a schema allows. */
const ofSchemas = /^(schema-(type|constraint|combinator)-changed|enum-values-(added|removed))$/;

export interface CompatibilityProof {
  /** Whether a location is proven compatible. */
  isCompatibleAt: (before: SchemaLocation, after: SchemaLocation) => boolean;
  /** Whether a change that Redocly reports as breaking is proven compatible. */
  isCompatible: (change: ListedChange) => boolean;
}

/**
 * @param oldSites all locations of the old contract
 * @param nextSites all locations of the new one
 */
export function createCompatibilityProof(
  { before, after, locationsOf }: Comparison,
  oldSites: readonly SchemaLocation[],
  nextSites: readonly SchemaLocation[],
): CompatibilityProof {
  const [old, next] = [oldSites, nextSites].map(
    (locations) => new Map(locations.map((location) => [location.name, location])),
  );
  // Readers of a response ignore new properties.
  const read = openObjects(before);
  const sideOf = (document: object, { pointer }: SchemaLocation) => {
    const schema = resolvePointer(document, pointer);
    return isSchema(schema) ? { document, schema } : undefined;
  };
  const isHarmlessAt: CompatibilityProof['isCompatibleAt'] = (one, other) => {
    const sent = one.direction === 'requests';
    const [was, is] = [sideOf(sent ? before : read, one), sideOf(after, other)];
    return was !== undefined && is !== undefined && (sent ? isSubset(was, is) : isSubset(is, was));
  };
  const isHarmless: CompatibilityProof['isCompatible'] = (change) => {
    const { verdicts } = change;
    if (verdicts.length > 0 && verdicts.every(({ ruleId }) => ofSchemas.test(ruleId))) {
      const locations = locationsOf(change).map(({ name }) => [old?.get(name), next?.get(name)] as const);
      return (
        locations.length > 0 && locations.every(([one, other]) => one && other && isHarmlessAt(one, other))
      );
    }
    return verdicts.length > 0 && verdicts.every(({ ruleId }) => isOnlyNamed(ruleId, change, after));
  };
  return { isCompatibleAt: isHarmlessAt, isCompatible: isHarmless };
}

/** Whether only a name changed: a status became a range, or a media type became a wider one. */
function isOnlyNamed(rule: string, { path, base, revision }: ListedChange, after: object): boolean {
  const [old, next] = [base?.value, revision?.value].map((value) =>
    typeof value === 'string' ? value : undefined,
  );
  const isDelivery = path.startsWith('/webhooks/') || path.includes('/callbacks/');
  if (rule === 'response-removed') {
    const cut = path.lastIndexOf('/');
    const status = old ?? path.slice(cut + 1);
    const others = resolvePointer(after, path.slice(0, cut));
    // The response is still described; its content is compared separately.
    return Object.keys(isObject(others) ? others : {}).some(
      (key) => isRange(key, status) || (!isDelivery && status !== 'default' && isRange(status, key)),
    );
  }
  return (
    rule === 'media-type-removed' &&
    path.includes('/requestBody/') &&
    !isDelivery &&
    old !== undefined &&
    next !== undefined &&
    (next === '*/*' || (next.endsWith('/*') && old.startsWith(next.slice(0, -1))))
  );
}

/** Whether a response key covers a status: `4XX` covers `404`, `default` any. */
const isRange = (key: string, status: string): boolean =>
  (key === 'default' && status !== 'default') ||
  (/^\dXX$/.test(key) && key[0] === status[0] && key !== status);
