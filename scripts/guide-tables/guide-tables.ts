import { isTemporary } from '../../client/retry-policy.ts';
import { retryDelays } from '../../server/delivery/outcome.ts';
import { errorMessages } from '../../server/errors.ts';
import { entriesOf, listOf, objectOf } from '../../server/lib/json-object.ts';
import { happened } from '../../server/own-contract/webhook-selectors.ts';
import { type Variable, variables } from '../../server/runtime/config/variables.ts';
import { stateChanges } from '../../server/storage/delivery-states.ts';
import { tableNames, tables } from '../../server/storage/schema.ts';
import { type DocumentTables, markdownTable } from '../contract/generate/document-tables.ts';
import type { OpenApiDocument } from '../lib/openapi-document.ts';
import { additionsTable } from './additions-table.ts';

/** Returns the tables of the guides, by name. @param document the bundled contract */
export const guideTables = async (document: OpenApiDocument): Promise<DocumentTables> => ({
  additions: await additionsTable(document),
  errors: errorTable(document),
  'event-types': eventTable(document),
  'webhook-numbers': numberTable(document),
  'retry-delays': markdownTable(
    ['attempt', 'delay after the previous attempt'],
    retryDelays.map((delay, index) => [String(index + 1), delay === 0 ? 'none' : duration(delay)]),
  ),
  'delivery-states': markdownTable(
    ['cause', 'state before', 'state after'],
    Object.values(stateChanges).map(({ cause, from, to }) => [cause, from.map(code).join(', '), code(to)]),
  ),
  citus: citusStatements(),
  'settings-network': settingTable('network'),
  'settings-database': settingTable('database'),
  'settings-webhooks': settingTable('webhooks'),
  'settings-operation': settingTable('operation'),
});

const code = (text: string): string => `\`${text}\``;

/** Returns the values of an enumeration with their names. */
function namesOf(document: OpenApiDocument, schema: string): [value: number, name: string][] {
  const { enum: values, 'x-enum-varnames': names } = objectOf(document.components?.schemas?.[schema]);
  return listOf(values).map((value, index) => [Number(value), String(listOf(names)[index])]);
}

function errorTable(document: OpenApiDocument): string {
  const messages: Readonly<Record<string, string>> = errorMessages;
  return markdownTable(
    ['code', 'status', 'message', 'retry'],
    namesOf(document, 'ErrorCode').map(([value, name]) => {
      const status = Math.floor(value / 100);
      const retry = isTemporary({ status, code: value }) ? 'yes' : 'no';
      const message = messages[name];
      if (message === undefined) throw new Error(`server/errors.ts has no message of ${name}.`);
      return [String(value), String(status), message, retry];
    }),
  );
}

/** The descriptions of events begin with these words. */
const opening = /^Sent when (.)/;

function eventTable(document: OpenApiDocument): string {
  const entities = namesOf(document, 'WebhookEntityId');
  return markdownTable(
    ['event type', '`entity_id`', '`action_id`', 'sent when'],
    entriesOf(document.webhooks).map(([type, item]) => {
      const { description } = objectOf(objectOf(item).post);
      const [sentence = ''] = String(description).split(/(?<=\.)\s/);
      if (!opening.test(sentence)) throw new Error(`The description of ${type} must begin with: Sent when`);
      const [entity, past] = type.split('.');
      const [entityId] = entities.find(([, name]) => name === entity) ?? [];
      const [actionId] = Object.entries(happened).find(([, each]) => each === past) ?? [];
      if (entityId === undefined || actionId === undefined)
        throw new Error(`No webhook can subscribe to ${type}: name its entity and its action.`);
      const when = sentence.replace(opening, (_all, first: string) => first.toUpperCase());
      return [code(type), String(entityId), actionId, when];
    }),
  );
}

function numberTable(document: OpenApiDocument): string {
  const columns = ['WebhookVerbId', 'WebhookEntityId', 'WebhookActionId'].map(
    (schema) => new Map(namesOf(document, schema)),
  );
  const numbers = [...new Set(columns.flatMap((names) => [...names.keys()]))].sort(
    (one, other) => one - other,
  );
  return markdownTable(
    ['number', '`verb_id`', '`entity_id`', '`action_id`'],
    numbers.map((number) => [String(number), ...columns.map((names) => names.get(number) ?? '')]),
  );
}

function duration(ms: number): string {
  const units = { hour: 3_600_000, minute: 60_000, second: 1_000 };
  const [unit, length] = Object.entries(units).find(([, each]) => ms % each === 0) ?? ['second', 1_000];
  return `${ms / length} ${unit}${ms === length ? '' : 's'}`;
}

/** The statements that distribute the tables on Citus. */
function citusStatements(): string {
  const storedAs = (place: 'distributed' | 'reference') =>
    tableNames.filter((name) => tables[name].onCitus === place);
  const [first, ...others] = storedAs('distributed');
  const statements = [
    ...storedAs('reference').map((name) => `select create_reference_table('${name}');`),
    `select create_distributed_table('${first}', 'company_id');`,
    ...others.map(
      (name) => `select create_distributed_table('${name}', 'company_id', colocate_with => '${first}');`,
    ),
  ];
  return ['```sql citus', ...statements, '```'].join('\n');
}

function settingTable(topic: Variable<unknown>['topic']): string {
  const own = Object.values(variables).filter((each) => each.topic === topic);
  return markdownTable(
    ['setting', 'default', 'meaning'],
    own.map(({ name, defaultValue, description }) => {
      const [, meaning = description, ending = 'none'] = /^(.*) \(default: (.*)\)$/.exec(description) ?? [];
      return [code(name), defaultValue === '' ? ending : code(defaultValue), meaning];
    }),
  );
}
