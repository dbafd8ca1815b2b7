import { valueAt } from '../../testing/schema-values/json-pointer.ts';
import { isObject, isSchema } from '../../testing/schema-values/schema.ts';
import type { Comparison } from './comparison.ts';
import { opened } from './reader-writer-views.ts';
import type { ListedChange } from './redocly-diff.ts';
import type { Site } from './schema-locations.ts';
import { isNarrower } from './schema-subset.ts';

/** Rules that speak of what a schema allows, and of nothing else. */
const ofSchemas = /^(schema-(type|constraint|combinator)-changed|enum-values-(added|removed))$/;

export interface Proof {
  /** Whether nothing that travels at a place is proven to break anybody. */
  isHarmlessAt: (before: Site, after: Site) => boolean;
  /** Whether a change that Redocly takes for breaking is proven to break nobody. */
  isHarmless: (change: ListedChange) => boolean;
}

/** @param oldSites and @param nextSites every place of the contracts */
export function createProof(
  { before, after, sitesOf }: Comparison,
  oldSites: readonly Site[],
  nextSites: readonly Site[],
): Proof {
  const [old, next] = [oldSites, nextSites].map((sites) => new Map(sites.map((site) => [site.name, site])));
  // Who reads an answer passes over what is new.
  const read = opened(before);
  const sideOf = (document: object, { pointer }: Site) => {
    const schema = valueAt(document, pointer);
    return isSchema(schema) ? { document, schema } : undefined;
  };
  const isHarmlessAt: Proof['isHarmlessAt'] = (one, other) => {
    const sent = one.direction === 'requests';
    const [was, is] = [sideOf(sent ? before : read, one), sideOf(after, other)];
    return was !== undefined && is !== undefined && (sent ? isNarrower(was, is) : isNarrower(is, was));
  };
  const isHarmless: Proof['isHarmless'] = (change) => {
    const { verdicts } = change;
    if (verdicts.length > 0 && verdicts.every(({ ruleId }) => ofSchemas.test(ruleId))) {
      const sites = sitesOf(change).map(({ name }) => [old?.get(name), next?.get(name)] as const);
      return sites.length > 0 && sites.every(([one, other]) => one && other && isHarmlessAt(one, other));
    }
    return verdicts.length > 0 && verdicts.every(({ ruleId }) => isOnlyNamed(ruleId, change, after));
  };
  return { isHarmlessAt, isHarmless };
}

/** What is described by another name: a status by its range, a media type by a wider one. */
function isOnlyNamed(rule: string, { path, base, revision }: ListedChange, after: object): boolean {
  const [old, next] = [base?.value, revision?.value].map((value) =>
    typeof value === 'string' ? value : undefined,
  );
  const isDelivery = path.startsWith('/webhooks/') || path.includes('/callbacks/');
  if (rule === 'response-removed') {
    const cut = path.lastIndexOf('/');
    const status = old ?? path.slice(cut + 1);
    const others = valueAt(after, path.slice(0, cut));
    // Answers get fewer by it, or whoever answers may answer more; what they hold is looked at by itself.
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

/** Whether one key of answers stands for another: `4XX` for `404`, `default` for any. */
const isRange = (key: string, status: string): boolean =>
  (key === 'default' && status !== 'default') ||
  (/^\dXX$/.test(key) && key[0] === status[0] && key !== status);
