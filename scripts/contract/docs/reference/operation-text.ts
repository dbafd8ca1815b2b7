import { markdownCode, markdownText } from '../../../lib/markdown-text.ts';
import type { Contract } from '../../model/contract.ts';
import type { Operation, OperationResponse } from '../../model/operation.ts';
import type { CommonHeaders } from './common-headers.ts';
import type { ReferenceEntry } from './entries.ts';
import { textIn } from './nodes.ts';
import { decisionsOf, operationNotes } from './operation-notes.ts';
import { parameterItem, propertyList } from './property-list.ts';

/** A part of the page of an operation. */
export interface TextBlock {
  /** Empty if the block continues the previous one. */
  title: string;
  /** `properties` are a list of names with descriptions. `folded` is closed until the reader opens it. */
  kind: 'text' | 'properties' | 'folded';
  markdown: string;
}

export interface TextContext {
  contract: Contract;
  common: CommonHeaders;
  /** Returns the link to a decision, relative to the folder of the contract; undefined without a page of decisions. */
  linkToDecision: ((decision: string) => string) | undefined;
}

/** Describes an operation or an event after its description, in Markdown and in the order of the page. Links are relative to the contract. */
export function operationText(context: TextContext, { kind, operation }: ReferenceEntry): TextBlock[] {
  const { contract, common, linkToDecision } = context;
  const isEvent = kind === 'event';
  const decisions = linkToDecision ? decisionsOf(operation) : [];
  const blocks: TextBlock[] = [
    ...operationNotes(operation).map(
      ({ title, text }): TextBlock => ({ title, kind: 'text', markdown: text }),
    ),
    ...(isEvent ? [] : parameterBlocks(contract, operation, common)),
    ...(operation.body?.content ?? []).map(
      ({ mediaType, node }): TextBlock => ({
        title: isEvent ? 'Payload' : `Request body (${mediaType})`,
        kind: 'properties',
        markdown: propertyList(contract, node.schema, isEvent ? 'response' : 'request'),
      }),
    ),
    ...(isEvent ? [] : responseBlocks(contract, operation, common)),
    { title: 'Common headers', kind: 'properties', markdown: isEvent ? '' : common.textOf(operation) },
    {
      title: 'Decisions',
      kind: 'folded',
      markdown: decisions.map((name) => `[${markdownText(name)}](${linkToDecision?.(name)})`).join(', '),
    },
  ];
  return blocks.filter(({ markdown }) => markdown !== '');
}

const parameterTitles = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Headers',
  cookie: 'Cookies',
};

function parameterBlocks(contract: Contract, { parameters }: Operation, common: CommonHeaders): TextBlock[] {
  const own = parameters.filter((parameter) => !common.isCommon(parameter));
  return Object.entries(parameterTitles).map(([location, title]) => ({
    title,
    kind: 'properties',
    markdown: own
      .filter((parameter) => parameter.in === location)
      .map((parameter) => parameterItem(contract, parameter))
      .join('\n'),
  }));
}

/** Lists the properties of successful responses. The other responses take one line each. */
function responseBlocks(contract: Contract, { responses }: Operation, common: CommonHeaders): TextBlock[] {
  const all = Object.entries(responses);
  const [successful, others] = [
    all.filter(([status]) => status.startsWith('2')),
    all.filter(([status]) => !status.startsWith('2')),
  ];
  return [
    ...successful.flatMap(([status, response]): TextBlock[] => [
      { title: `Response ${status}`, kind: 'text', markdown: responseText(response, common) },
      ...response.content.slice(0, 1).map(
        ({ node }): TextBlock => ({
          title: '',
          kind: 'properties',
          markdown: propertyList(contract, node.schema, 'response'),
        }),
      ),
    ]),
    {
      title: successful.length > 0 ? 'Other responses' : 'Responses',
      kind: 'properties',
      markdown: others
        .map(([status, response]) => `- ${markdownCode(status)} ${responseText(response, common)}`)
        .join('\n'),
    },
  ];
}

/** Returns the description of a response in one line, with the headers that not every response has. */
function responseText({ node, headers }: OperationResponse, common: CommonHeaders): string {
  const own = headers.map(({ name }) => name).filter((name) => !common.isCommonInResponses(name));
  const description = textIn(node, 'description').trim().replaceAll(/\s+/g, ' ');
  return [description, own.length > 0 ? `Headers: ${own.map(markdownCode).join(', ')}.` : '']
    .join(' ')
    .trim();
}
