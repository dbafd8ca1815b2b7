import { isObject } from '../../../server/lib/json-object.ts';
import { pointerTokens, resolvePointer } from '../../lib/json-pointer.ts';
import { httpMethods } from '../../lib/openapi-document.ts';
import { type BreakingFinding, type Comparison, isAboutValues } from './comparison.ts';
import { type Direction, isWithin, type SchemaLocation } from './schema-locations.ts';
import { sourceOwnerOf } from './source-owner.ts';

/** A place where clients send or receive what a change concerns. */
export interface AffectedUse {
  /** The method with the path, or with the name of the webhook or callback. */
  operation: string;
  direction: Direction;
  /** The body, parameter or header, such as `GET /books 200 application/json`. */
  location: string;
}

/** The part of the contract that a breaking change concerns. */
export interface Affected {
  /** The shared schema that contains the change, such as `Book`; undefined if it has no name. */
  schema: string | undefined;
  /** The properties of the schema that changed, or whose values did; empty if the change concerns the whole schema. */
  properties: string[];
  /** The uses that can break. Uses that are proven compatible are omitted. */
  uses: AffectedUse[];
}

/** Two versions of a contract. */
interface Versions {
  before: object;
  after: object;
}

/** Rules that concern only what clients send, or only what they receive. Other rules concern both. */
const directionOfRule: Readonly<Record<string, Direction>> = {
  'required-properties-added': 'requests',
  'required-properties-removed': 'responses',
  'request-narrowed': 'requests',
  'response-widened': 'responses',
};

/** Whether only values decide. A property that responses lose is missed by clients, although all values are still valid. */
const isAboutValuesOf = (rule: string, direction: Direction): boolean =>
  isAboutValues(rule) || (rule === 'property-removed' && direction === 'requests');

type Change = Pick<BreakingFinding, 'rule' | 'path' | 'property' | 'base' | 'revision'>;

/**
 * Creates a function that finds what a breaking change concerns.
 * @param versions both contracts before normalization
 * @param locations all locations of both contracts
 * @param isCompatibleAt whether the schemas of a location are proven compatible; undefined if only one version has it
 */
export function createAffectedUses(
  comparison: Comparison,
  versions: Versions,
  locations: readonly SchemaLocation[],
  isCompatibleAt: (name: string) => boolean,
): (change: Change) => Affected {
  return (change) => {
    const direction = directionOfRule[change.rule];
    const around = comparison.locationsOf(change);
    const shared = sharedPartsOf(change);
    const found = [
      ...around,
      ...locations.filter(
        ({ path, pointer }) => isWithin(path, change.path) || shared.some((part) => isWithin(pointer, part)),
      ),
    ];
    const affected = found.filter(
      (location) =>
        (direction === undefined || location.direction === direction) &&
        !(isAboutValuesOf(change.rule, location.direction) && isCompatibleAt(location.name)),
    );
    const uses = new Map(
      affected.map(({ name, operation, direction: own }) => [
        name,
        { operation, direction: own, location: name },
      ]),
    );
    const bare = around.length > 0 ? [] : operationsAt(change, comparison);
    return {
      ...ownerOf(change, versions),
      uses: [
        ...uses.values(),
        ...bare.filter(({ operation }) => !found.some((location) => location.operation === operation)),
      ],
    };
  };
}

/** Returns the changed objects that operations share, such as a parameter. The path of a change is that of the first use. */
const sharedPartsOf = ({ base, revision, property }: Change): string[] =>
  [base, revision].flatMap((side) => {
    const { pointer = '' } = side ?? {};
    const [where, kind] = pointerTokens(pointer);
    if (where !== 'components' || kind === 'schemas') return [];
    return [property === undefined ? pointer : pointer.replace(/\/[^/]*$/, '')];
  });

/** Returns the operations that a change contains or is in. They may have no schema, so no location. */
function operationsAt({ path, base, revision }: Change, { before, after }: Comparison): AffectedUse[] {
  const [where, name, method] = pointerTokens(path);
  if (where !== 'paths' || name === undefined) return [];
  const item = resolvePointer(base && !revision ? before : after, path.split('/').slice(0, 3).join('/'));
  const methods = httpMethods.filter((each) => isObject(item) && each in item);
  const own = methods.filter((each) => each === method);
  const direction = path.includes('/responses/') ? 'responses' : 'requests';
  return (own.length > 0 ? own : methods).map((each) => {
    const operation = `${each.toUpperCase()} ${name.replace(/\{[^}]+\}/g, '{}')}`;
    return { operation, direction, location: operation };
  });
}

/** Returns the shared schema that contains a change, and the innermost properties in it that lead to the change. */
function ownerOf(
  { property, base, revision }: Change,
  { before, after }: Versions,
): Pick<Affected, 'schema' | 'properties'> {
  // If a reference was replaced by a schema, or the reverse, one pointer leads to the target of the reference, which has
  // not changed. The other leads to the property.
  const owners = [
    ...(base ? [sourceOwnerOf(before, after, base.pointer)] : []),
    ...(revision ? [sourceOwnerOf(after, before, revision.pointer)] : []),
  ];
  const owner = owners.find((each) => each.property !== undefined) ?? owners[0];
  const changed = property === 'required' ? changedNames(base?.value, revision?.value) : [];
  return {
    schema: owner?.schema,
    properties: changed.length > 0 || owner?.property === undefined ? changed : [owner.property],
  };
}

/** Returns the names that only one of two lists contains. */
function changedNames(before: unknown, after: unknown): string[] {
  const [old, next] = [before, after].map((list): unknown[] => (Array.isArray(list) ? list : []));
  const names = [...(old ?? []), ...(next ?? [])].filter(
    (name) => !(old?.includes(name) && next?.includes(name)),
  );
  return names.map(String);
}
