import type { AffectedUse } from '../diff/affected-uses.ts';
import type { BreakingChange } from '../diff/contract-diff.ts';
import { comparePlaces, type Place, type UsesManifest } from './manifest.ts';

/** The effect of a breaking change on a consumer, as far as its manifest shows. */
export interface ConsumerVerdict {
  mayBreak: boolean;
  /** Where the consumer uses what has changed, or where values leave the analysis. */
  places: Place[];
  /**
   * Where a deployed receiver validates events: it rejects changed events until it is built again. Undefined if it
   * does not, or if the change concerns no event.
   */
  deployed: Place[] | undefined;
}

type Change = Pick<BreakingChange, 'rule' | 'affected' | 'base' | 'property'>;

/**
 * Decides whether a breaking change may break a consumer. If it is not known what the change concerns, it may.
 * @param manifest what the consumer uses
 */
export function judgeConsumer(change: Change, manifest: UsesManifest): ConsumerVerdict {
  const { uses } = change.affected;
  const places = new Set<Place>(uses.flatMap((use) => placesOf(use, change, manifest)));
  const isEvent = uses.some((use) => isEventUse(use) && use.direction === 'responses');
  const deployed = isEvent && manifest.validatesEvents.length > 0 ? manifest.validatesEvents : undefined;
  return {
    mayBreak: places.size > 0 || uses.length === 0,
    places: [...places].sort(comparePlaces),
    deployed,
  };
}

const isEventUse = ({ operation }: AffectedUse): boolean => / (webhook|callback) /.test(operation);

/** Returns the lines of a consumer that use what a change of a location concerns. */
function placesOf(use: AffectedUse, change: Change, manifest: UsesManifest): Place[] {
  const calls = manifest.operations.filter(({ operation }) => unnamed(operation) === unnamed(use.operation));
  const { schema } = change.affected;
  const isElsewhere = schema !== undefined && manifest.contract.elsewhere.includes(schema);
  if (calls.length === 0 && !isEventUse(use) && !isElsewhere) return [];
  const whole = isEventUse(use) ? eventPlaces(use, manifest) : calls.flatMap(({ at }) => at);
  const opened = calls.filter(({ open }) => open).flatMap(({ at }) => at);
  return [...opened, ...(use.direction === 'responses' ? received : sent)(use, change, manifest, whole)];
}

/** Names of path parameters do not matter. */
const unnamed = (operation: string): string => operation.replace(/\{[^}]*\}/g, '{}');

/** A consumer that handles no single type of events may handle all of them. */
function eventPlaces({ operation }: AffectedUse, { events, validatesEvents }: UsesManifest): Place[] {
  const name = operation.replace(/^.* (webhook|callback) /, '');
  const placesWith = (wanted: string) => events.filter(({ type }) => type === wanted).flatMap(({ at }) => at);
  const isKnown = events.some(({ type }) => type !== '*');
  return isKnown ? placesWith(name) : [...placesWith('*'), ...validatesEvents];
}

function received(
  use: AffectedUse,
  { rule, affected }: Change,
  manifest: UsesManifest,
  whole: Place[],
): Place[] {
  const { schema, properties } = affected;
  const [, header] = / header (\S+)$/.exec(use.location) ?? [];
  if (header !== undefined)
    return whole.length === 0
      ? []
      : manifest.headers.filter(({ name }) => name === header || name === '*').flatMap(({ at }) => at);
  if (schema === undefined) {
    if (properties.length === 0) return whole;
    return [
      ...manifest.reads.filter((read) => read.schema === undefined && properties.includes(read.property)),
      ...manifest.escapes.filter(({ operations }) =>
        operations.some((each) => unnamed(each) === unnamed(use.operation)),
      ),
    ].flatMap(({ at }) => at);
  }
  const isWhole = properties.length === 0 && manifest.contract.bodies.includes(schema);
  if (isWhole && whole.length > 0) return whole;
  const schemas = withParts(schema, manifest);
  const isOwn = (name: string | undefined) => name !== undefined && schemas.has(name);
  const reads = manifest.reads.filter((read) =>
    properties.length === 0
      ? isOwn(read.schema) || read.refersTo.some(isOwn)
      : isOwn(read.schema) && (read.property === '*' || properties.includes(read.property)),
  );
  const escapes = manifest.escapes.filter(({ schemas: escaped }) => escaped.some(isOwn));
  const direct = /^enum-values-/.test(rule) ? reads.filter((read) => !isOfClient(read)) : reads;
  return [
    ...direct.flatMap(({ at }) => at),
    // The program gets the values from its client, and compares them.
    ...(direct.length < reads.length ? manifest.codes.flatMap(({ at }) => at) : []),
    ...escapes.map(({ at }) => at),
  ];
}

/** Whether a client reads a schema for the program, by its tag `@reads`. It accepts new values of an enumeration. */
const isOfClient = ({ property, refersTo }: UsesManifest['reads'][number]): boolean =>
  property === '*' && refersTo.length === 0;

function sent(use: AffectedUse, change: Change, manifest: UsesManifest, whole: Place[]): Place[] {
  const { rule, affected } = change;
  const { schema, properties } = affected;
  const objects = manifest.sends.filter(
    ({ operation }) => operation !== undefined && unnamed(operation) === unnamed(use.operation),
  );
  const [, place, name] = / (query|header|path|cookie) (\S+)$/.exec(use.location) ?? [];
  if (place !== undefined) {
    // A parameter that is new or required now concerns all calls.
    if (place === 'path' || change.base === undefined || change.property === 'required') return whole;
    const given = manifest.parameters.filter(
      (parameter) =>
        parameter.in === place &&
        parameter.name.toLowerCase() === name?.toLowerCase() &&
        unnamed(parameter.operation) === unnamed(use.operation),
    );
    return [...given, ...objects.filter(({ open }) => open)].flatMap(({ at }) => at);
  }
  // Objects of a schema without properties, such as an enumeration, have no entry in the manifest.
  const hasParts = schema === undefined || manifest.contract.composed[schema]?.length !== 0;
  if (properties.length === 0 && !(schema !== undefined && hasParts)) return whole;
  const schemas = schema === undefined ? undefined : withParts(schema, manifest);
  return (
    schemas ? manifest.sends.filter((each) => each.schema !== undefined && schemas.has(each.schema)) : objects
  )
    .filter(({ open, properties: given, always }) => {
      if (open || properties.length === 0) return true;
      return rule === 'required-properties-added'
        ? !properties.every((each) => always.includes(each))
        : properties.some((each) => given.includes(each));
    })
    .flatMap(({ at }) => at);
}

/** Returns a schema with the schemas that it is composed of: their properties are its properties. */
function withParts(schema: string, { contract }: UsesManifest): ReadonlySet<string> {
  const all = new Set([schema]);
  for (const each of all) for (const part of contract.composed[each] ?? []) all.add(part);
  return all;
}
