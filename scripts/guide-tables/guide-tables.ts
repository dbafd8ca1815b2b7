import { Registry } from 'prom-client';
import { tables } from '../../generated/tables.ts';
import {
  failureToleranceMs,
  jitter,
  maxWaitMs,
  overloadedWaitMs,
  retryDelays,
} from '../../server/delivery/outcome.ts';
import { fieldTypeRules } from '../../server/features/fields/canonical-value.ts';
import { type Variable, variables } from '../../server/runtime/config/variables.ts';
import { defineMetrics } from '../../server/runtime/observability/metric-definitions.ts';
import { stateChanges } from '../../server/storage/delivery-states.ts';
import { tableNames } from '../../server/storage/schema.ts';
import { code, type DocumentTables, markdownTable } from '../contract/generate/document-tables.ts';
import { createContract } from '../contract/model/contract.ts';
import type { OpenApiDocument } from '../lib/openapi-document.ts';
import { features } from '../runtime-package/stock-features.ts';
import { additionsTable } from './additions-table.ts';
import { errorTable, eventTable, limitTable, scopeTable } from './contract-tables.ts';

/** Returns the tables of the guides, by name. @param document the bundled contract */
export async function guideTables(document: OpenApiDocument): Promise<DocumentTables> {
  const contract = createContract(document);
  return {
    additions: await additionsTable(contract),
    errors: errorTable(contract),
    scopes: scopeTable(contract),
    limits: limitTable(contract),
    'event-types': eventTable(contract),
    'retry-delays': markdownTable(
      ['attempt', 'delay after the previous attempt'],
      retryDelays.map((delay, index) => [String(index + 1), delay === 0 ? 'none' : duration(delay)]),
    ),
    'retry-limits': markdownTable(
      ['limit', 'value'],
      [
        ['attempts', String(retryDelays.length)],
        ['random variation of each delay', `up to ${jitter * 100} %`],
        ['shortest delay after 429, 502, 504 or a timeout', duration(overloadedWaitMs)],
        ['longest `Retry-After` that the service respects', duration(maxWaitMs)],
        ['time of failures after which a webhook is disabled', duration(failureToleranceMs)],
      ],
    ),
    'delivery-states': markdownTable(
      ['cause', 'state before', 'state after'],
      Object.values(stateChanges).map(({ cause, from, to }) => [cause, from.map(code).join(', '), code(to)]),
    ),
    'field-types': markdownTable(
      ['type', 'accepts', 'stored as'],
      Object.entries(fieldTypeRules).map(([type, { accepts, storedAs }]) => [code(type), accepts, storedAs]),
    ),
    'stock-features': markdownTable(
      ['feature of express-openapi-validator', 'difference'],
      features.flatMap(({ name, difference }) => (difference === undefined ? [] : [[name, difference]])),
    ),
    metrics: metricTable(),
    citus: citusStatements(),
    'settings-network': settingTable('network'),
    'settings-database': settingTable('database'),
    'settings-webhooks': settingTable('webhooks'),
    'settings-operation': settingTable('operation'),
  };
}

function duration(ms: number): string {
  const units = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 };
  const [unit, length] = Object.entries(units).find(([, each]) => ms % each === 0) ?? ['second', 1_000];
  return `${ms / length} ${unit}${ms === length ? '' : 's'}`;
}

function metricTable(): string {
  const registry = new Registry();
  defineMetrics(registry);
  return markdownTable(
    ['metric', 'type', 'meaning'],
    registry
      .getMetricsAsArray()
      .map((metric) => [
        code(metric.name),
        metric.constructor.name.toLowerCase(),
        String(Reflect.get(metric, 'help')),
      ]),
  );
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
