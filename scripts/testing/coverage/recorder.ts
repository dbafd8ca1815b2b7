import type { Exchange, ValidatedResponse } from '../../../server/contract/exchange.ts';
import { documentedType, isJson, parseMediaType } from '../../../server/contract/media-type.ts';
import { documentedStatus } from '../../../server/contract/validate-response.ts';
import { objectOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { Contract } from '../../contract/model/contract.ts';
import { operationsOf, type TestedOperation } from '../requests/operations.ts';
import { canonicalJson } from '../schema-values/schema.ts';
import { createSchemaContext, type SchemaContext } from '../schema-values/schema-context.ts';
import { countsValues, exampleItemsIn, schemaPartsIn } from './coverage-items.ts';

export interface CoverageRecorder {
  /** Records what an exchange covers. */
  observe: (exchange: Exchange<unknown>, response: ValidatedResponse) => void;
  /** Names of covered items. */
  reached: Set<string>;
}

/**
 * Creates a recorder for exchanges of a service or a mock.
 * @param reached names of covered items, to which the recorder adds
 * @param answersCount false for a mock: only the examples in its responses count, because requests to a mock and its
 * generated responses do not test the service
 */
export function createCoverageRecorder(
  { document }: Contract,
  reached: Set<string>,
  answersCount: boolean,
): CoverageRecorder {
  const context = createSchemaContext(document);
  const operations = new Map(operationsOf(context).map((operation) => [operation.id, operation]));
  return {
    reached,
    observe(exchange, response) {
      const operation = operations.get(exchange.operation?.id ?? '');
      if (!operation) return;
      const add = (name: string) => reached.add(`${operation.id} ${name}`);
      if (answersCount) noteRequest(context, operation, exchange, add);
      noteAnswer(context, operation, response, { add, answersCount });
      if (answersCount) reached.add(operation.id);
    },
  };
}

/** Records what a request covers. Only requests that passed validation count. */
function noteRequest(
  context: SchemaContext,
  operation: TestedOperation,
  { input, req }: Exchange<unknown>,
  add: (name: string) => void,
): void {
  if (!input) return;
  const sent = [...new URLSearchParams(req.url?.split('?')[1] ?? '').keys()];
  for (const { in: location, name, schema, examples } of operation.parameters) {
    const given = {
      query: isSent(sent, name, ownOf(input.query, name)) ? ownOf(input.query, name) : undefined,
      path: ownOf(input.path, name),
      header: req.headers[name.toLowerCase()],
      cookie: undefined,
    }[location];
    if (given === undefined) continue;
    add(`← ${location}/${name}`);
    for (const part of schemaPartsIn(context, schema, given)) add(`← ${location}/${name}${part}`);
    for (const [index, example] of examples.entries())
      if (canonicalJson(example) === canonicalJson(given)) add(`← ${location}/${name} example ${index}`);
  }
  const type = parseMediaType(req.headers['content-type'] ?? '') ?? '';
  for (const { mediaType, schema, examples } of input.body === undefined
    ? []
    : (operation.body?.content ?? [])) {
    if (documentedType([mediaType], type) === undefined) continue;
    add(`← ${mediaType}`);
    for (const part of schemaPartsIn(context, schema, input.body)) add(`← ${part}`);
    for (const example of exampleItemsIn(examples, input.body, true)) add(`← example ${example}`);
  }
}

/** Whether a parameter was sent in the query, not filled in by default. @param sent the names in the query */
const isSent = (sent: readonly string[], name: string, value: unknown): boolean =>
  sent.some((each) => each === name || each.startsWith(`${name}[`) || Object.hasOwn(objectOf(value), each));

function noteAnswer(
  context: SchemaContext,
  operation: TestedOperation,
  { status, headers, payload }: ValidatedResponse,
  { add, answersCount }: { add: (name: string) => void; answersCount: boolean },
): void {
  const key = documentedStatus(operation.responses, status);
  const documented = key === undefined ? undefined : operation.responses[key];
  if (key === undefined || !documented) return;
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (answersCount) add(`→ ${key}`);
  for (const { name } of answersCount ? documented.headers : [])
    if (names.includes(name.toLowerCase())) add(`→ ${key} ${name}`);
  const type = parseMediaType(headers['Content-Type'] ?? headers['content-type'] ?? '') ?? '';
  for (const { mediaType, schema, examples } of documented.content) {
    if (documentedType([mediaType], type) === undefined) continue;
    if (answersCount) add(`→ ${key} ${mediaType}`);
    if (typeof payload !== 'string' || !isJson(type)) continue;
    const body: unknown = JSON.parse(payload);
    for (const part of answersCount ? schemaPartsIn(context, schema, body) : [])
      if (countsValues(key) || !part.includes(' = ')) add(`→ ${key} ${part}`);
    for (const example of exampleItemsIn(examples, body, false)) add(`→ ${key} example ${example}`);
  }
}
