import { documentedType } from '../../../server/contract/media-type.ts';
import { objectOf } from '../../../server/lib/json-object.ts';
import { pointerTokens, resolvePointer } from '../../lib/json-pointer.ts';
import { once } from '../../lib/once.ts';
import { canonicalJson, distinct } from '../../testing/schema-values/schema.ts';
import type { Contract } from '../model/contract.ts';
import { namedPartsOf } from './candidates.ts';
import { type Comparison, isAboutValues, isDelivery } from './comparison.ts';
import { withClosedObjects } from './reader-writer-views.ts';
import type { ListedChange } from './redocly-diff.ts';
import { sameSchemas } from './same-schemas.ts';
import type { SchemaLocation } from './schema-locations.ts';
import { contextOf, sideAt } from './schema-side.ts';
import { createKnownPairs, isSubset } from './schema-subset.ts';
import { isSubsetAsText, withScalarTexts, withTextsOfForm } from './text-subset.ts';

export interface CompatibilityProof {
  /** Whether the old and the new schemas of a location are proven compatible. */
  isCompatibleAt: (before: SchemaLocation, after: SchemaLocation) => boolean;
  /** The same if clients send only properties that the old contract names. */
  isCompatibleIfNamed: CompatibilityProof['isCompatibleAt'];
  /** Whether a change that Redocly reports as breaking is proven compatible. */
  isCompatible: (change: ListedChange) => boolean;
}

/** Rules that a proof about values refutes: whether a property is required is about values, too. */
const isRefutable = (rule: string): boolean =>
  isAboutValues(rule) || /^required-properties-(added|removed)$/.test(rule);

/** A parameter, a header of a response or a body that is sent as text, not as JSON. */
const textLocation = / (path|query|header|cookie|\S+(?= text\/plain$)) \S+$/;

/** A body whose scalar parts are sent as text. */
const isForm = / body (application\/x-www-form-urlencoded|multipart\/form-data)$/;

/**
 * Creates a proof that compares the schemas of both versions at the locations of each change.
 * @param versions both contracts, normalized
 * @param old all locations of the old contract, by name
 * @param next all locations of the new contract, by name
 */
export function createCompatibilityProof(
  { before, after, locationsOf }: Omit<Comparison, 'changes'>,
  versions: { before: Contract; after: Contract },
  old: ReadonlyMap<string, SchemaLocation>,
  next: ReadonlyMap<string, SchemaLocation>,
): CompatibilityProof {
  // Clients ignore new properties and accept new values of open enumerations, so the old schemas must allow them.
  // Messages do not have properties of the other direction.
  const views = {
    requests: {
      sent: contextOf(versions.before.view('request', 'forbidden')),
      read: contextOf(versions.after.view('request', 'forbidden')),
    },
    responses: {
      sent: contextOf(withClosedObjects(versions.after).view('response', 'forbidden')),
      read: contextOf(versions.before.view('reader').view('response')),
    },
  };
  const same = {
    requests: sameSchemas(views.requests.sent, views.requests.read),
    responses: sameSchemas(views.responses.sent, views.responses.read, 'views'),
  };
  const known = { requests: createKnownPairs(), responses: createKnownPairs() };
  const readAsText = {
    requests: once(() => contextOf(withScalarTexts(versions.after.view('request', 'forbidden')))),
    responses: once(() => contextOf(withScalarTexts(versions.before.view('reader').view('response')))),
  };
  const contextsOf = (view: 'request' | 'response') =>
    once(() => [contextOf(versions.before.view(view)), contextOf(versions.after.view(view))] as const);
  const ownViews = { requests: contextsOf('request'), responses: contextsOf('response') };
  const hasEncoding = ({ pointer }: SchemaLocation) =>
    [before, after].some(
      (document) => resolvePointer(document, pointer.replace(/schema$/, 'encoding')) !== undefined,
    );
  const isHarmlessAt: CompatibilityProof['isCompatibleAt'] = (one, other) => {
    const { direction } = one;
    const { sent, read } = views[direction];
    const [sender, reader] = direction === 'requests' ? [one, other] : [other, one];
    const [from, to] = [sideAt(sent, sender), sideAt(read, reader)];
    if (!from || !to) return false;
    if (isSubset(from, to, same[direction], known[direction])) return true;
    // Encodings can say that parts are sent in another way.
    if (isForm.test(one.name) && ![one, other].some(hasEncoding)) return isSubset(from, withTextsOfForm(to));
    const [, where] = textLocation.exec(one.name) ?? [];
    const texts = where === undefined ? undefined : sideAt(readAsText[direction](), reader);
    return texts !== undefined && isSubsetAsText(from, texts, where === 'path');
  };
  /**
   * Whether two notations of one schema are proven to allow the same values, and to name the same properties, of those that
   * messages of its direction have.
   */
  const areEqualAt = (one: SchemaLocation | undefined, other: SchemaLocation | undefined): boolean => {
    const [contextBefore, contextAfter] = ownViews[(one ?? other)?.direction ?? 'requests']();
    const [was, is] = [one && sideAt(contextBefore, one), other && sideAt(contextAfter, other)];
    if (!was || !is || !isSubset(was, is) || !isSubset(is, was)) return false;
    const [names, namesBefore] = [is, was].map(({ context, schema }) =>
      distinct(namedPartsOf(context, schema).names),
    );
    return canonicalJson(names) === canonicalJson(namesBefore);
  };
  const isHarmless: CompatibilityProof['isCompatible'] = (change) => {
    const { verdicts } = change;
    if (verdicts.length > 0 && verdicts.every(({ ruleId }) => isRefutable(ruleId))) {
      const locations = locationsOf(change).map(({ name }) => [old.get(name), next.get(name)] as const);
      return (
        locations.length > 0 && locations.every(([one, other]) => one && other && isHarmlessAt(one, other))
      );
    }
    // Redocly compares the targets of a mapping, whose meaning matters besides their values.
    const isMapped = change.path.includes('/discriminator/');
    if (!isMapped && verdicts.some(({ ruleId }) => isRefutable(ruleId) || ruleId === 'property-removed')) {
      const names = locationsOf(change).map(({ name }) => name);
      return names.length > 0 && names.every((name) => areEqualAt(old.get(name), next.get(name)));
    }
    return (
      verdicts.length > 0 &&
      verdicts.every(({ ruleId }) => isStillDescribed(ruleId, change, { before, after }))
    );
  };
  const named = once(() => contextOf(withClosedObjects(versions.before).view('request', 'forbidden')));
  const isCompatibleIfNamed: CompatibilityProof['isCompatibleAt'] = (one, other) => {
    if (one.direction !== 'requests') return isHarmlessAt(one, other);
    const [from, to] = [sideAt(named(), one), sideAt(views.requests.read, other)];
    return from !== undefined && to !== undefined && isSubset(from, to);
  };
  return { isCompatibleAt: isHarmlessAt, isCompatibleIfNamed, isCompatible: isHarmless };
}

/**
 * Whether a response or its media type only moved to another key: to a range that covers it, or from a range to a part of
 * it. Its content is compared separately.
 */
function isStillDescribed(
  rule: string,
  { path, base }: ListedChange,
  { before, after }: Pick<Comparison, 'before' | 'after'>,
): boolean {
  const cut = path.lastIndexOf('/');
  const [last = ''] = pointerTokens(path.slice(cut));
  const was = typeof base?.value === 'string' ? base.value : last;
  const [keysBefore = [], keys = []] = [before, after].map((document) =>
    Object.keys(objectOf(resolvePointer(document, path.slice(0, cut)))),
  );
  const added = keys.filter((key) => !keysBefore.includes(key));
  if (rule === 'media-type-removed')
    return (
      was.includes('*') &&
      path.includes('/responses/') !== isDelivery(path) &&
      added.some((key) => documentedType([was], key) !== undefined)
    );
  if (rule !== 'response-removed') return false;
  // `default` usually describes errors, so it does not cover a success whose status has changed.
  const isSuccess = (key: string) => /^2(\d\d|XX)$/.test(key);
  const isRenamed = isSuccess(was) && added.some(isSuccess);
  return (
    keys.some((key) => isRange(key, was) && !(isRenamed && key === 'default')) ||
    (!isDelivery(path) && (was === 'default' ? added : keys).some((key) => isRange(was, key)))
  );
}

/** Whether a response key covers another one: `4XX` covers `404`, and `default` covers every other key. */
const isRange = (key: string, status: string): boolean =>
  (key === 'default' && status !== 'default') ||
  (/^\dXX$/.test(key) && key[0] === status[0] && key !== status);
