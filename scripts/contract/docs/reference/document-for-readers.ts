import { isObject } from '../../../../server/lib/json-object.ts';
import { markdownCode } from '../../../lib/markdown-text.ts';
import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItemObject,
} from '../../../lib/openapi-document.ts';
import { httpMethods } from '../../../lib/openapi-document.ts';
import { listIn, type Node } from './nodes.ts';

/** Fields of an operation that the code generator does not read. */
export interface Described extends OperationObject {
  summary?: string;
  description?: string;
  tags?: string[];
}

/**
 * Returns a copy of the contract for the reference and the console. The console ignores extensions, so the copy has their
 * content in descriptions.
 * @param linkToDecision returns the link to a decision; without it, decisions are omitted
 */
export function documentForReaders(
  document: OpenApiDocument,
  linkToDecision: ((decision: string) => string) | undefined,
): OpenApiDocument {
  const { security: everywhere = [] } = document;
  const describe = (operation: Described): Described => {
    const { description = '', security = everywhere } = operation;
    // Other tools may use extensions with the same names.
    const extensions: Node = { ...operation };
    const decisions = listIn(extensions, 'x-decision').map(String);
    const conditional = listIn(extensions, 'x-conditional-scopes').filter(isObject);
    const scopes = security.flatMap((alternative) => Object.values(alternative).flat());
    const rules = listIn(extensions, 'x-rules').filter(isObject);
    const beyond = rules.map(({ rule, code, ...more }) => {
      const locations = listIn(more, 'fields').map(String).map(markdownCode).join(', ');
      return `- ${rule}${locations === '' ? '' : ` (${locations})`}${code === undefined ? '' : `: ${code}`}`;
    });
    return {
      ...withSafeSamples(operation),
      description: [
        description.trim(),
        ...(scopes.length > 0 ? [`**Scopes:** ${scopes.map(markdownCode).join(', ')}`] : []),
        ...(conditional.length > 0
          ? [
              `**Further scopes:**\n\n${conditional.map(({ scope, when }) => `- ${markdownCode(String(scope))} if ${when}`).join('\n')}`,
            ]
          : []),
        ...(beyond.length > 0 ? [`**Checked beyond the schema:**\n\n${beyond.join('\n')}`] : []),
        ...(linkToDecision && decisions.length > 0
          ? [`**Decisions:** ${decisions.map((name) => `[${name}](${linkToDecision(name)})`).join(', ')}`]
          : []),
      ].join('\n\n'),
    };
  };
  const describeAll = (items: Record<string, PathItemObject> = {}) =>
    Object.fromEntries(
      Object.entries(items).map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item).map(([name, value]) => [
            name,
            httpMethods.some((method) => method === name) ? describe(value as Described) : value,
          ]),
        ),
      ]),
    );
  return {
    ...document,
    components: {
      ...document.components,
      parameters: disableOptionalExamples(document.components?.parameters),
    },
    paths: describeAll(document.paths),
    webhooks: describeAll(document.webhooks),
  };
}

/**
 * Removes samples with unusual names of languages: the renderer writes the name into HTML without escaping it (seen with
 * version 1.72.1).
 */
function withSafeSamples(operation: Described): Described {
  const isSafe = (sample: unknown) =>
    typeof sample !== 'object' ||
    sample === null ||
    !('lang' in sample) ||
    /^[\w+#. -]*$/.test(String(sample.lang));
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
function disableOptionalExamples(
  parameters: Record<string, ParameterObject> = {},
): Record<string, ParameterObject> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { example, ...parameter }]: [string, Exemplary]) => [
      name,
      parameter.required || example === undefined
        ? { ...parameter, ...(example === undefined ? {} : { example }) }
        : { ...parameter, examples: { example: { value: example, 'x-disabled': true } } },
    ]),
  );
}

type Exemplary = ParameterObject & { required?: boolean; example?: unknown; examples?: object };
