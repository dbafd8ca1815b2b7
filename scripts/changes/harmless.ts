import { valueAt } from '../instances/pointer.ts';
import { isObject, isSchema } from '../instances/schema.ts';
import type { Comparison } from './comparison.ts';
import { isNarrower } from './narrower.ts';
import { opened } from './readings.ts';
import type { ListedChange } from './redocly-diff.ts';
import type { Site } from './sites.ts';

/** Rules that speak of what a schema allows, and of nothing else. */
const ofSchemas = /^(schema-(type|constraint|combinator)-changed|enum-values-(added|removed))$/;

/**
 * Whether a change that Redocly takes for breaking is proven to break nobody.
 * @param oldSites and @param nextSites every place of the contracts
 */
export function createProof(
  { before, after, sitesOf }: Comparison,
  oldSites: readonly Site[],
  nextSites: readonly Site[],
): (change: ListedChange) => boolean {
  const [old, next] = [oldSites, nextSites].map((sites) => new Map(sites.map((site) => [site.name, site])));
  // Who reads an answer passes over what is new.
  const read = opened(before);
  const sideOf = (document: object, site: Site | undefined) => {
    const schema = site && valueAt(document, site.pointer);
    return isSchema(schema) ? { document, schema } : undefined;
  };
  const isHarmlessAt = ({ name, direction }: Site): boolean => {
    const sent = direction === 'requests';
    const [one, other] = [sideOf(sent ? before : read, old?.get(name)), sideOf(after, next?.get(name))];
    return (
      one !== undefined && other !== undefined && (sent ? isNarrower(one, other) : isNarrower(other, one))
    );
  };
  return (change) => {
    const { verdicts } = change;
    if (verdicts.length > 0 && verdicts.every(({ ruleId }) => ofSchemas.test(ruleId))) {
      const sites = sitesOf(change);
      return sites.length > 0 && sites.every(isHarmlessAt);
    }
    return verdicts.length > 0 && verdicts.every(({ ruleId }) => isOnlyNamed(ruleId, change, after));
  };
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
