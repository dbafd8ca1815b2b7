import { dirname, relative, resolve as resolvePath } from 'node:path';
import { entriesOf, isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';

interface Location {
  source: { absoluteRef: string };
}

/** What Redocly passes to a visitor together with the node. */
interface Visited {
  location: Location;
  /** Resolves a reference, relative to the file `from`. Any other node is returned unchanged. */
  resolve(node: unknown, from?: string): { node?: unknown; location?: Location | undefined };
}

const conditionalScopes = 'x-conditional-scopes';

/**
 * A preprocessor of Redocly for `x-defaults` at the root of a document: adds references to the parameters, responses and headers
 * that all paths share, where a path, an operation or one of its responses has none of the same name. A response to an error
 * without a schema gets the schema of errors, limited to the codes of its examples. `x-conditional-scopes` can refer to a schema
 * that has them. References in extensions are texts, because tools read others there as data.
 */
export function applyDefaults() {
  let defaults: JsonObject = {};
  let root = '';
  const referenceIn = (file: string, reference: unknown) => {
    const [path = '', pointer = ''] = String(reference).split('#');
    const target = path === '' ? root : resolvePath(dirname(root), path);
    const shown = target === file ? '' : relative(dirname(file), target).replaceAll('\\', '/');
    return { $ref: `${shown}#${pointer}` };
  };
  const completed = (values: unknown, added: unknown, { source }: Location): JsonObject => ({
    ...objectOf(values),
    ...Object.fromEntries(
      entriesOf(added)
        .filter(([name]) => !Object.hasOwn(objectOf(values), name))
        .map(([name, reference]) => [name, referenceIn(source.absoluteRef, reference)]),
    ),
  });
  const errorSchema = (examples: unknown, { location: { source }, resolve }: Visited) => {
    const { schema, code } = objectOf(defaults.error);
    const values = entriesOf(examples).map(
      ([, example]) => objectOf(resolve(example, source.absoluteRef).node).value,
    );
    const codes = [...new Set(values.map((value) => objectOf(value)[String(code)]))].sort();
    const limited = { [String(code)]: { enum: codes, 'x-open-enum': true } };
    return { allOf: [referenceIn(source.absoluteRef, schema), { properties: limited }] };
  };
  const withSchema = (media: unknown, context: Visited) => {
    const { examples } = objectOf(media);
    return { schema: errorSchema(examples, context), ...objectOf(media) };
  };
  const completeResponse = (status: string, given: unknown, context: Visited) => {
    const { node, location = context.location } = context.resolve(given);
    if (!isObject(node)) return;
    const { content, ...response } = node;
    const isError = /^[45]/.test(status) && defaults.error !== undefined;
    const bodies = entriesOf(content).map(([type, media]) => [
      type,
      isError ? withSchema(media, { ...context, location }) : media,
    ]);
    // The order of keys is that of other documents.
    delete node.content;
    node.headers = completed(response.headers, defaults.headers, location);
    if (content !== undefined) node.content = Object.fromEntries(bodies);
  };
  return {
    Root(document: unknown, { location }: Visited) {
      const node = objectOf(document);
      defaults = objectOf(node['x-defaults']);
      delete node['x-defaults'];
      root = location.source.absoluteRef;
    },
    Paths: {
      PathItem: {
        enter(item: unknown, { location: { source } }: Visited) {
          const added = listOf(defaults.parameters).map((each) => referenceIn(source.absoluteRef, each));
          const node = objectOf(item);
          if (added.length > 0) node.parameters = [...listOf(node.parameters), ...added];
        },
        Operation(operation: unknown, context: Visited) {
          const node = objectOf(operation);
          const { headers, responses, responsesWithBody } = defaults;
          const { [conditionalScopes]: scopes } = node;
          if (typeof scopes === 'string')
            node[conditionalScopes] = objectOf(context.resolve({ $ref: scopes }).node)[conditionalScopes];
          if (headers !== undefined)
            for (const [status, response] of entriesOf(node.responses))
              completeResponse(status, response, context);
          const added = { ...objectOf(responses), ...(node.requestBody ? objectOf(responsesWithBody) : {}) };
          if (Object.keys(added).length > 0)
            node.responses = completed(node.responses, added, context.location);
        },
      },
    },
  };
}
