import { isObject, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import { markdownCode, markdownText } from '../../../lib/markdown-text.ts';
import type { Contract } from '../../model/contract.ts';
import type { Operation, OperationResponse } from '../../model/operation.ts';
import type { CodeFigure } from '../code-figure.ts';
import type { CommonHeaders } from './common-headers.ts';
import { documentedProperties, merged, parameterProperty, typeText } from './documented-properties.ts';
import type { ReferenceEntry } from './entries.ts';
import { listIn, nodeIn, textIn } from './nodes.ts';
import type { Property } from './property-list.ts';

/** A part of the page of an operation. */
export interface TextBlock {
  title: string;
  /** Markdown. */
  text: string;
  properties: readonly Property[];
  /** Whether narrow windows show it before the samples. */
  isFirst?: boolean;
  /** Whether it is closed until the reader opens it. */
  isFolded?: boolean;
  /** Code from which readers choose a language. */
  samples?: readonly CodeFigure[];
}

export interface TextContext {
  contract: Contract;
  common: CommonHeaders;
  /** Whether there is a page of decisions. */
  hasDecisions: boolean;
  /** The sections of guides by title, such as an error code. */
  explained: ReadonlyMap<string, string>;
}

/** Describes an operation or an event after its description, in the order of the page. Links are relative to the contract. */
export function operationText(context: TextContext, { kind, operation }: ReferenceEntry): TextBlock[] {
  const { contract, common, hasDecisions } = context;
  const isEvent = kind === 'event';
  const decisions = hasDecisions ? listIn(operation.node, 'x-decision').map(String) : [];
  const blocks: TextBlock[] = [
    {
      title: 'Rules',
      text: [...conditionalScopes(operation), rulesText(operation)].join('\n').trim(),
      properties: [],
      isFirst: true,
    },
    ...(isEvent ? [] : parameterBlocks(contract, operation, common)),
    ...(operation.body?.content ?? []).map(({ mediaType, node }) => ({
      title: isEvent ? 'Payload' : `Request body (${mediaType})`,
      text: listText(contract, node.schema),
      properties: documentedProperties(contract, node.schema, isEvent ? 'response' : 'request'),
    })),
    ...(isEvent ? [] : responseBlocks(context, operation)),
    { title: 'Common headers', text: '', properties: isEvent ? [] : common.of(operation), isFolded: true },
    {
      title: 'Decisions',
      text: decisions.map((name) => `[${markdownText(name)}](decisions.md#${name.toLowerCase()})`).join(', '),
      properties: [],
      isFolded: true,
    },
  ];
  return blocks.filter(({ text, properties }) => text !== '' || properties.length > 0);
}

/** Lists in Markdown the scopes that an operation always needs. */
export function scopesText({ security }: Operation): string {
  const scopes = [...new Set(security.flatMap((alternative) => Object.values(alternative).flat()))];
  return scopes.length > 0 ? `Scopes: ${scopes.map(markdownCode).join(', ')}` : '';
}

/** Lists the scopes that an operation needs under a condition. Other tools may use the extension in another way. */
const conditionalScopes = ({ node }: Operation): string[] =>
  listIn(node, 'x-conditional-scopes')
    .filter(isObject)
    .map(({ scope, when }) => `- ${markdownCode(String(scope))} is required if ${when}.`);

/** Lists the rules that no schema states. */
const rulesText = ({ rules }: Operation): string =>
  rules
    .map(({ rule, code, fields }) => {
      // A rule that quotes a name says which location it is about.
      const locations = rule.includes('`') ? '' : fields.map(markdownCode).join(', ');
      return `- ${rule}${locations === '' ? '' : ` (${locations})`}${code === undefined ? '' : ` Otherwise the error code is ${code}.`}`;
    })
    .join('\n');

const parameterTitles = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Headers',
  cookie: 'Cookies',
};

const parameterBlocks = (contract: Contract, { parameters }: Operation, common: CommonHeaders): TextBlock[] =>
  Object.entries(parameterTitles).map(([location, title]) => ({
    title,
    text: '',
    properties: parameters
      .filter((parameter) => parameter.in === location && !common.isCommon(parameter))
      .map((parameter) => parameterProperty(contract, parameter)),
    isFirst: true,
  }));

/** Lists the properties of successful responses. The other responses take one line each. */
function responseBlocks(context: TextContext, { responses }: Operation): TextBlock[] {
  const { contract, common } = context;
  const { successful = [], others = [] } = Object.groupBy(Object.entries(responses), ([status]) =>
    status.startsWith('2') ? 'successful' : 'others',
  );
  return [
    ...successful.map(([status, response]) => ({
      title: `Response ${status}`,
      text: `${responseText(response, common)} ${listText(contract, response.content[0]?.node.schema)}`.trim(),
      properties: response.content
        .slice(0, 1)
        .flatMap(({ node }) => documentedProperties(contract, node.schema, 'response')),
    })),
    {
      title: successful.length > 0 ? 'Other responses' : 'Responses',
      text: '',
      properties: others.map(([name, response]) => ({
        name,
        type: '',
        isRequired: false,
        description: `${responseText(response, common)} ${codesText(context, response)}`.trim(),
        properties: [],
      })),
    },
  ];
}

/** Links the error codes of a response to the guide that explains them. */
function codesText({ contract, explained }: TextContext, { content: [media] }: OperationResponse): string {
  const { code } = nodeIn(merged(contract, media?.node.schema), 'properties');
  const links = listOf(objectOf(code).enum)
    .filter((each) => explained.has(String(each)))
    .map((each) => `[${each}](${explained.get(String(each))})`);
  return links.length > 0 ? `Error codes: ${links.join(', ')}.` : '';
}

/** Says that a body is a list, because only the properties of its items are listed. */
function listText(contract: Contract, schema: unknown): string {
  const type = typeText(contract, schema);
  return type.startsWith('array') ? `The body is an ${markdownText(type)}.` : '';
}

/** Returns the description of a response in one line, with the headers that not every response has. */
function responseText({ node, headers }: OperationResponse, common: CommonHeaders): string {
  const own = headers.map(({ name }) => name).filter((name) => !common.isCommonInResponses(name));
  const description = textIn(node, 'description').trim().replaceAll(/\s+/g, ' ');
  return [description, own.length > 0 ? `Headers: ${own.map(markdownCode).join(', ')}.` : '']
    .join(' ')
    .trim();
}
