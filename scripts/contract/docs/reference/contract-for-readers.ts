import { isObject, type JsonObject, objectOf } from '../../../../server/lib/json-object.ts';
import { markdownCode } from '../../../lib/markdown-text.ts';
import { type Contract, createContract } from '../../model/contract.ts';
import type { Operation } from '../../model/operation.ts';
import { listIn, textIn } from './nodes.ts';

type LinkToDecision = (decision: string) => string;

/**
 * Returns a copy of the contract for the reference and the console. The console ignores extensions, so the copy has their
 * content in descriptions. Each operation has an ID, because links lead to it.
 * @param linkToDecision returns the link to a decision; without it, decisions are omitted
 */
export function contractForReaders(contract: Contract, linkToDecision: LinkToDecision | undefined): Contract {
  const { document, operations, webhooks } = contract;
  return createContract(
    {
      ...document,
      components: {
        ...document.components,
        parameters: disableOptionalExamples(document.components?.parameters),
      },
      paths: withDescriptions(document.paths, operations, linkToDecision),
      webhooks: withDescriptions(document.webhooks, webhooks, linkToDecision),
    },
    contract.locate,
  );
}

function withDescriptions(
  items: Record<string, object> = {},
  operations: readonly Operation[],
  linkToDecision: LinkToDecision | undefined,
): Record<string, object> {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    Object.entries(items).map(([path, item]) => [
      path,
      {
        ...item,
        ...Object.fromEntries(
          (byPath.get(path) ?? []).map((each) => [each.method, describe(each, linkToDecision)]),
        ),
      },
    ]),
  );
}

function describe(
  { id, node, security, rules }: Operation,
  linkToDecision: LinkToDecision | undefined,
): JsonObject {
  // Other tools may use extensions with the same names.
  const decisions = listIn(node, 'x-decision').map(String);
  const conditional = listIn(node, 'x-conditional-scopes').filter(isObject);
  const scopes = security.flatMap((alternative) => Object.values(alternative).flat());
  const beyond = rules.map(({ rule, code, fields }) => {
    const locations = fields.map(markdownCode).join(', ');
    return `- ${rule}${locations === '' ? '' : ` (${locations})`}${code === undefined ? '' : `: ${code}`}`;
  });
  return {
    ...withSafeSamples(node),
    operationId: id,
    description: [
      textIn(node, 'description').trim(),
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
}

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
