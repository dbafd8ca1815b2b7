import { documentedType } from '../../../server/contract/media-type.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { unescapePointer } from '../../../server/lib/json-text.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { dereference, resolvePointer, valueAt } from '../../lib/json-pointer.ts';
import { schemasIn } from '../../testing/schema-values/schema.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';
import { visitObjects } from '../load/visit-objects.ts';
import {
  type BreakingFinding,
  type Comparison,
  type ContractRule,
  formatValue,
  isDelivery,
} from './comparison.ts';
import { areDisjoint } from './disjoint-schemas.ts';
import { oauthFlowChanged } from './oauth-flow-changed.ts';
import type { ListedChange } from './redocly-diff.ts';
import type { Direction } from './schema-locations.ts';
import { serverRemoved } from './server-removed.ts';

/** Returns a message if a change that Redocly does not report as breaking is breaking. */
type ChangeRule = (
  change: ListedChange,
  about: { directions: ReadonlySet<Direction>; comparison: Comparison },
) => string | undefined;

/** The rules about a single change, by ID. */
const changeRules: Readonly<Record<string, ChangeRule>> = {
  'callback-url-changed': ({ typeName, property, path, base, revision }) =>
    typeName === 'PathItem' && property === 'key' && path.includes('/callbacks/')
      ? `The callback URL is ${String(revision?.value)} instead of ${String(base?.value)}.`
      : undefined,
  // Clients that omit a value get another default.
  'default-changed': ({ typeName, property, base, revision }, { directions, comparison }) =>
    typeName === 'Schema' &&
    property === 'default' &&
    base?.value !== undefined &&
    directions.has('requests') &&
    mayBeOmitted(comparison.before, base.pointer) &&
    !isDefaultMoved(comparison, base)
      ? `The default was ${formatValue(base.value)} and is ${formatValue(revision?.value)}.`
      : undefined,
  'event-payload-reduced': eventPayloadReduced,
  'discriminator-changed': discriminatorChanged,
  'encoding-changed': encodingChanged,
  // Clients send the properties of a parameter by their names, as they send parameters.
  'property-of-parameter-removed'({ kind, path }, { directions }) {
    const [, name] =
      /\/parameters\/\d+(?:\/content\/[^/]+)?\/schema(?:\/.*)?\/properties\/([^/]+)$/.exec(path) ?? [];
    return kind === 'removed' && name !== undefined && directions.has('requests')
      ? `The parameter no longer has the property ${name}.`
      : undefined;
  },
  // At the root of a body or header, it has no meaning.
  'property-became-write-only': ({ typeName, property, path, revision }, { directions }) =>
    typeName === 'Schema' &&
    !path.endsWith('/schema') &&
    property === 'writeOnly' &&
    revision?.value === true &&
    directions.has('responses')
      ? 'The property became write-only: no response has it any longer.'
      : undefined,
  // Clients rely on headers that are always there, and read them as the old contract states.
  'response-header-changed'(change) {
    const { typeName, kind, property, path, base, revision } = change;
    // As text and as JSON, numbers are the same.
    const isNumber = /^(integer|number|boolean)$/.test(String(objectOf(base?.value).type));
    if (kind === 'removed' && /\/headers\/[^/]+\/(schema|content)$/.test(path) && !isNumber)
      return 'The value of the header is written in another way.';
    if (!/^Header(sMap)?$/.test(typeName) || !path.includes('/responses/')) return undefined;
    // Receivers of webhooks and callbacks send them.
    if (isDelivery(path)) {
      if (isNewlyRequired(change)) return 'The response needs this header now.';
    } else if (property === 'required' && base?.value === true) return 'The header may be missing now.';
    return property === 'explode' || property === 'style'
      ? `${property} was ${formatValue(base?.value)} and is ${formatValue(revision?.value)}.`
      : undefined;
  },
  'responses-removed': ({ typeName, kind }) =>
    typeName === 'Responses' && kind === 'removed' ? 'No response is documented any longer.' : undefined,
  // Clients build URLs from the defaults of server variables.
  'server-variable-changed': ({ typeName, property, base, revision }) =>
    typeName === 'ServerVariable' && property === 'default'
      ? `The variable was ${formatValue(base?.value)} by default and is ${formatValue(revision?.value)}.`
      : undefined,
  'sunset-moved-earlier': sunsetMovedEarlier,
};

/** The rules that compare parts of whole contracts, by ID. */
const contractRules: Readonly<Record<string, ContractRule>> = {
  'oauth-flow-changed': oauthFlowChanged,
  'server-removed': serverRemoved,
};

/** The IDs of all rules for breaking changes that Redocly does not report as breaking. */
export const ruleIds: readonly string[] = [...Object.keys(changeRules), ...Object.keys(contractRules)];

/** Finds breaking changes that Redocly does not report as breaking. */
export function findBreakingChanges(comparison: Comparison): BreakingFinding[] {
  const { changes, locationsOf } = comparison;
  const found = Object.entries(changeRules).flatMap(([rule, messageOf]) =>
    changes.flatMap((change) => {
      if (change.impact === 'major') return [];
      const directions = new Set(locationsOf(change).map(({ direction }) => direction));
      const message = messageOf(change, { directions, comparison });
      const { path, property, base, revision } = change;
      return message === undefined ? [] : [{ rule, message, path, property, base, revision }];
    }),
  );
  const others = Object.entries(contractRules).flatMap(([rule, findingsOf]) =>
    findingsOf(comparison).map((finding) => ({ rule, ...finding })),
  );
  return [...found, ...others];
}

/** Whether requests can lack a property that others have. @param pointer to the default of a property, or of another part */
function mayBeOmitted(document: object, pointer: string): boolean {
  const [, around, name] = /^(.*)\/properties\/([^/]+)\/default$/.exec(pointer) ?? [];
  if (around === undefined || name === undefined) return true;
  const { required } = objectOf(resolvePointer(document, around));
  const { readOnly } = objectOf(resolvePointer(document, `${around}/properties/${name}`));
  return readOnly !== true && !listOf(required).includes(unescapePointer(name));
}

/** Whether everything that referred to the schema with a default has the same default itself now. */
function isDefaultMoved(
  { before, after }: Comparison,
  { pointer, value }: { pointer: string; value?: unknown },
): boolean {
  const reference = `#${pointer.slice(0, pointer.lastIndexOf('/'))}`;
  const now: unknown[] = [];
  visitObjects(before, ({ $ref }, _key, at) => {
    if ($ref === reference) now.push(objectOf(dereference(after, valueAt(after, at))).default);
    return true;
  });
  return now.length > 0 && now.every((each) => formatValue(each) === formatValue(value));
}

/** Receivers of webhooks and callbacks rely on the payload. */
function eventPayloadReduced(change: ListedChange): string | undefined {
  const { typeName, kind, property, path, base, revision } = change;
  if (!isDelivery(path) || path.includes('/responses')) return undefined;
  const name = isObject(base?.value) ? String(base.value.name) : '';
  const wasRequired = property === 'required' && base?.value === true && revision?.value !== true;
  if (typeName === 'Parameter' && (kind === 'removed' || wasRequired))
    return kind === 'removed'
      ? `The webhook request no longer has ${name}.`
      : 'The webhook request may omit this parameter.';
  if (typeName === 'ParameterList' && kind === 'removed')
    return 'The webhook request no longer has its parameters.';
  if (/^SecurityRequirement/.test(typeName) && kind === 'removed')
    return 'The webhook request no longer has the credentials.';
  if (typeName === 'RequestBody' && kind === 'removed') return 'The webhook request no longer has a body.';
  if (typeName === 'RequestBody' && wasRequired) return 'The webhook request may omit its body.';
  return typeName === 'MediaType' && kind === 'added'
    ? `The webhook request may have the media type ${path.slice(path.lastIndexOf('/') + 1).replaceAll('~1', '/')}.`
    : undefined;
}

/** Generated clients choose a class by the discriminator, so a change can make them choose the wrong one. */
function discriminatorChanged(
  { kind, property, path, base, revision }: ListedChange,
  {
    comparison: { before, after },
    directions,
  }: { comparison: Comparison; directions: ReadonlySet<Direction> },
): string | undefined {
  if (!/\/discriminator(\/mapping\/[^/]+)?$/.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (property === 'propertyName')
    return `The discriminator was ${formatValue(base?.value)} and is ${formatValue(revision?.value)}.`;
  // The values themselves tell apart schemas that have no value in common.
  if (kind === 'removed' && name === 'discriminator')
    return hasDisjointBranches(before, base?.pointer) ? undefined : 'The discriminator is removed.';
  const { pointer = '' } = base ?? revision ?? {};
  const target = resolvePointer(base ? before : after, pointer);
  const [was, is] = [before, after].map((document) => hasBranch(document, pointer, target));
  // Responses lose what no longer occurs.
  if (kind === 'removed')
    return was && !is && !directions.has('requests')
      ? undefined
      : `The discriminator no longer maps ${name}.`;
  const { propertyName } = objectOf(resolvePointer(after, pointer.replace(/\/mapping\/[^/]+$/, '')));
  const canHaveIt = ownOf(objectOf(objectOf(revision?.value).properties), String(propertyName)) !== undefined;
  if (kind === 'added' && is && !was && canHaveIt && directions.has('responses'))
    return `Responses can have ${name}, which the discriminator did not map.`;
  return kind === 'modified' && name !== 'discriminator'
    ? `The discriminator maps ${name} to another schema.`
    : undefined;
}

/** Whether one of the alternatives beside a discriminator has a reference. @param pointer to a mapping of the discriminator */
function hasBranch(document: object, pointer: string, reference: unknown): boolean {
  const schema = resolvePointer(document, pointer.replace(/\/discriminator\/mapping\/[^/]+$/, ''));
  const { oneOf, anyOf } = objectOf(schema);
  return listOf(oneOf ?? anyOf).some((branch) => objectOf(branch).$ref === reference);
}

function hasDisjointBranches(document: object, pointer = ''): boolean {
  const schema = resolvePointer(document, pointer.slice(0, pointer.lastIndexOf('/')));
  const context = createSchemaContext(document);
  const branches = isObject(schema) ? schemasIn(schema.oneOf ?? schema.anyOf) : [];
  return (
    branches.length > 0 &&
    branches.every((one, index) =>
      branches
        .slice(index + 1)
        .every((other) => areDisjoint({ context, schema: one }, { context, schema: other })),
    )
  );
}

/** Clients encode the parts of a body as the old contract states. */
function encodingChanged(change: ListedChange): string | undefined {
  const { typeName, kind, property, path, base, revision } = change;
  const [was, is] = [base?.value, revision?.value];
  const isReceived = path.includes('/responses/') !== isDelivery(path);
  if (/^Header(sMap)?$/.test(typeName) && path.includes('/encoding/'))
    return isNewlyRequired(change) ? 'This part needs a header now.' : undefined;
  if (!/^Encoding(Map)?$/.test(typeName)) return undefined;
  if (kind !== 'modified') {
    const parts = typeName === 'EncodingMap' ? Object.values(objectOf(was ?? is)) : [was ?? is];
    const isAdded = kind === 'added';
    if (!parts.map(objectOf).some((part) => isEncoded(part) || (!isAdded && part.allowReserved === true)))
      return undefined;
    return isAdded ? 'The encoding is specified now, and was not.' : 'The encoding is no longer specified.';
  }
  if (property === 'allowReserved' && is === true) return undefined;
  // Additional content types do not break those who send a part.
  const [sent = [], read = []] = (isReceived ? [is, was] : [was, is]).map((value) =>
    String(value ?? '').split(', '),
  );
  if (property === 'contentType' && sent.every((each) => documentedType(read, each) !== undefined))
    return undefined;
  return `${property} of this part was ${formatValue(was)} and is ${formatValue(is)}.`;
}

/** Whether a header, or one of a map of headers, is required now. */
function isNewlyRequired({ typeName, kind, property, revision }: ListedChange): boolean {
  const is = revision?.value;
  const headers = typeName === 'HeadersMap' ? Object.values(objectOf(is)) : [is];
  return property === 'required' ? is === true : kind === 'added' && headers.some(isRequired);
}

const isRequired = (header: unknown): boolean => objectOf(header).required === true;

const isEncoded = ({ contentType, style, explode, headers }: JsonObject): boolean =>
  [contentType, style, explode].some((each) => each !== undefined) ||
  Object.values(objectOf(headers)).some(isRequired);

/** Clients rely on the announced sunset date. */
function sunsetMovedEarlier(
  { property, path, base, revision }: ListedChange,
  { comparison }: { comparison: Comparison },
): string | undefined {
  if (property !== 'x-sunset' || typeof base?.value !== 'string') return undefined;
  const { value: next } = revision ?? {};
  if (typeof next === 'string')
    return next < base.value ? `The sunset date moved from ${base.value} to ${next}.` : undefined;
  const node = resolvePointer(comparison.after, (revision?.pointer ?? path).replace(/\/x-sunset$/, ''));
  return isObject(node) && node.deprecated === true
    ? `The sunset date ${base.value} is removed, but not the deprecation.`
    : undefined;
}
