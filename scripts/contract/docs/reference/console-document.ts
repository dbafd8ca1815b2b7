import { type JsonObject, objectOf } from '../../../../server/lib/json-object.ts';
import type { OpenApiDocument } from '../../../lib/openapi-document.ts';
import type { Contract } from '../../model/contract.ts';
import type { Operation } from '../../model/operation.ts';
import { textIn } from './nodes.ts';
import { operationNotes } from './operation-notes.ts';

/**
 * Returns a copy of the contract's document for the console. The console ignores extensions, so the copy has their content in
 * descriptions. Each operation has an ID, because links lead to it.
 */
export function consoleDocument({ document, operations, webhooks }: Contract): OpenApiDocument {
  return {
    ...document,
    components: {
      ...document.components,
      parameters: disableOptionalExamples(document.components?.parameters),
    },
    paths: withDescriptions(document.paths, operations),
    webhooks: withDescriptions(document.webhooks, webhooks),
  };
}

function withDescriptions(
  items: Record<string, object> = {},
  operations: readonly Operation[],
): Record<string, object> {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    Object.entries(items).map(([path, item]) => [
      path,
      {
        ...item,
        ...Object.fromEntries((byPath.get(path) ?? []).map((each) => [each.method, describe(each)])),
      },
    ]),
  );
}

const describe = (operation: Operation): JsonObject => ({
  ...withSafeSamples(operation.node),
  operationId: operation.id,
  description: [
    textIn(operation.node, 'description').trim(),
    ...operationNotes(operation).map(({ title, text }) => `**${title}**\n\n${text}`),
  ].join('\n\n'),
});

/**
 * Removes samples with unusual names of languages: the renderer writes the name into HTML without escaping it (seen with
 * version 1.72.1).
 */
function withSafeSamples(operation: JsonObject): JsonObject {
  const isSafe = (sample: unknown) => {
    const { lang } = objectOf(sample);
    return lang === undefined || /^[\w+#. -]*$/.test(String(lang));
  };
  return Object.fromEntries(
    Object.entries(operation).map(([name, value]) => [
      name,
      sampleExtensions.includes(name) && Array.isArray(value) ? value.filter(isSafe) : value,
    ]),
  );
}

const sampleExtensions = ['x-codeSamples', 'x-code-samples', 'x-custom-examples'];

/**
 * Disables optional parameters that have an example, by setting one of the renderer's extensions. Otherwise the console
 * would send all of them, and an arbitrary date range would make lists empty.
 */
function disableOptionalExamples(parameters: Record<string, object> = {}): Record<string, object> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, given]) => {
      const { example, ...parameter } = objectOf(given);
      if (parameter.required || example === undefined) return [name, given];
      return [name, { ...parameter, examples: { example: { value: example, 'x-disabled': true } } }];
    }),
  );
}
