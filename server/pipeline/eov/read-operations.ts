import { unescapePointer } from '../../lib/json-text.ts';
import { ownOf } from '../../lib/own-property.ts';
import type { Lifecycle } from '../deprecation-headers.ts';
import { type DocumentNode, isDocumentNode } from '../document-node.ts';
import { isMessageHeader } from '../ignored-headers.ts';
import type {
  ContractParameter,
  DocumentedContent,
  DocumentedHeader,
  DocumentedResponse,
  Security,
} from '../operation.ts';

/** The parts of a contract that this file reads, as prepared by express-openapi-validator. */
interface PreparedDocument {
  security?: Security;
  components?: unknown;
}

export interface PreparedOperation extends Lifecycle {
  operationId?: string;
  security?: Security;
  parameters?: unknown[];
  requestBody?: unknown;
  responses?: Record<string, unknown>;
}

/** Follows the `#/…` references of a node. @returns the object to which they lead, or `{}` if it does not exist */
export function resolve(document: unknown, node: unknown): DocumentNode {
  let found = node;
  for (let steps = 0; isDocumentNode(found) && typeof found.$ref === 'string'; steps += 1) {
    if (steps > 100) throw new Error(`The reference ${found.$ref} is circular.`);
    found = nodeAt(document, found.$ref);
  }
  return isDocumentNode(found) ? found : {};
}

/** Returns the node at `#/…`. */
export function nodeAt(document: unknown, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((node, step) => {
    const name = unescapePointer(decodeURIComponent(step));
    return isDocumentNode(node) ? ownOf(node, name) : undefined;
  }, document);
}

/** Returns the parameters of an operation. @throws Error if the pipeline cannot read one of them */
export function parametersOf(document: PreparedDocument, operation: PreparedOperation): ContractParameter[] {
  return (operation.parameters ?? []).map((given) => {
    const parameter = resolve(document, given);
    const schema = resolve(document, parameter.schema);
    const names = namesOf(document, parameter);
    if (parameter.in === 'cookie' && names !== undefined && names !== 'brackets')
      throw new Error(
        `The cookie ${parameter.name} is an exploded object, whose properties cannot be told from other cookies. Describe it with content: application/json.`,
      );
    return {
      ...(names === undefined || parameter.in !== 'query' ? {} : { names }),
      name: String(parameter.name),
      in: placeOf(parameter.in),
      type: typeof schema.type === 'string' ? schema.type : undefined,
      allowEmptyValue: parameter.allowEmptyValue === true,
      isJson: Object.keys(Object(parameter.content)).some((mediaType) => /[/+]json\b/i.test(mediaType)),
    };
  });
}

/** Returns the further names of a query parameter or a cookie. Plain values have none. */
function namesOf(
  document: PreparedDocument,
  { style = 'form', explode = style === 'form', schema, content }: DocumentNode,
): ContractParameter['names'] {
  if (content !== undefined) return undefined;
  if (style === 'deepObject') return 'brackets';
  const { type } = resolve(document, schema);
  if (type === 'array') return 'brackets';
  if (style !== 'form' || explode !== true) return undefined;
  const { names, isOpen } = propertyNamesOf(schema, (node) => resolve(document, node));
  if (isOpen) return 'any';
  return names.length > 0 ? names : undefined;
}

/** Returns the names of an object schema's properties, and whether it allows others, at most 6 levels deep. */
function propertyNamesOf(
  given: unknown,
  follow: (node: unknown) => DocumentNode,
  depth = 0,
): { names: string[]; isOpen: boolean } {
  const node = follow(given);
  const { properties, patternProperties, allOf, oneOf, anyOf } = node;
  const additional = node.additionalProperties ?? node.unevaluatedProperties;
  const parts = [allOf, oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const found = depth > 5 ? [] : parts.map((part) => propertyNamesOf(part, follow, depth + 1));
  const own = isDocumentNode(properties) ? Object.keys(properties) : [];
  const isBare = node.type === 'object' && properties === undefined && parts.length === 0;
  const allowsMore = additional === undefined ? isBare : additional !== false;
  return {
    names: [...new Set([...own, ...found.flatMap(({ names }) => names)])],
    isOpen: allowsMore || patternProperties !== undefined || found.some(({ isOpen }) => isOpen),
  };
}

function placeOf(location: unknown): ContractParameter['in'] {
  if (location === 'query' || location === 'header' || location === 'path' || location === 'cookie')
    return location;
  throw new Error(`A parameter cannot be in ${String(location)}.`);
}

/** Returns the documented media types of the request body. */
export function requestContentOf(
  document: PreparedDocument,
  operation: PreparedOperation,
): Map<string, DocumentedContent> {
  const { content } = resolve(document, operation.requestBody);
  const types = isDocumentNode(content) ? Object.entries(content) : [];
  return new Map(types.map(([type, media]) => [type, contentOf(document, media)]));
}

export function responsesOf(
  document: PreparedDocument,
  operation: PreparedOperation,
): Record<string, DocumentedResponse> {
  return Object.fromEntries(
    Object.entries(operation.responses ?? {}).map(([status, given]) => {
      const { content, headers } = resolve(document, given);
      const types = isDocumentNode(content) ? Object.entries(content) : [];
      const documented = {
        mediaTypes: types.map(([type]) => type),
        content: new Map(types.map(([type, media]) => [type, contentOf(document, media)])),
        headers: Object.entries(isDocumentNode(headers) ? headers : {}).map(([name, header]) =>
          headerOf(document, name, header),
        ),
      };
      return [status, documented];
    }),
  );
}

function contentOf(document: PreparedDocument, media: unknown): DocumentedContent {
  const { schema, example, examples } = isDocumentNode(media) ? media : {};
  const named = Object.values(isDocumentNode(examples) ? examples : {}).map(
    (each) => resolve(document, each).value,
  );
  return {
    schema,
    examples: example === undefined ? named : [example, ...named],
    resolve: (node) => resolve(document, node),
  };
}

function headerOf(document: PreparedDocument, name: string, given: unknown): DocumentedHeader {
  const header = resolve(document, given);
  const { type } = resolve(document, header.schema);
  return {
    name: name.toLowerCase(),
    required: header.required === true && !isMessageHeader(name),
    ...(type === 'array' ? { isList: true } : {}),
  };
}

/** Returns an object schema for all headers of a response, with the header names in lower case. */
export function headersSchemaOf(document: PreparedDocument, response: unknown): object {
  const { headers } = resolve(document, response);
  const properties = Object.entries(isDocumentNode(headers) ? headers : {}).map(([name, header]) => [
    name.toLowerCase(),
    resolve(document, header).schema ?? {},
  ]);
  return { type: 'object', properties: Object.fromEntries(properties), components: document.components };
}
