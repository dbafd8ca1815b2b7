import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { parseDatabaseUrl } from '../../server/runtime/config/database-url.ts';
import type { RecordedStatement, Statements } from './record-statements.ts';
import {
  placeViolation,
  type QueryPlan,
  type ScanStep,
  scanViolation,
  sortViolation,
  tenancyViolation,
} from './statement-rules.ts';

// Statements that this process has checked already.
const checked = new Set<string>();

/**
 * Checks the statements that the service has run by the rules in statement-rules.ts. Skips
 * statements that the database cannot explain any more, for example because the test has corrupted it.
 * @param url as in DATABASE_URL
 * @throws Error that names the statements
 */
export async function checkStatements(url: string, recorded: Statements): Promise<void> {
  const added = [...recorded.values()].filter(({ text }) => !checked.has(text));
  if (added.length === 0) return;
  const plans = await explainStatements(url, added);
  const violations = added.flatMap(({ text }) => {
    checked.add(text);
    const plan = plans.get(text) ?? { scans: [], isSorted: false, steps: [] };
    const found = [
      tenancyViolation(text),
      placeViolation(text),
      scanViolation(text, plan.scans),
      sortViolation(text, plan),
    ];
    return found.filter((each) => each !== undefined);
  });
  if (violations.length > 0) throw new Error(`A statement ${violations.join('\nA statement ')}`);
}

/** The plans of statements, by their text. `steps` are those of SQLite, or the nodes of PostgreSQL with their indexes. */
type Plans = Map<string, QueryPlan & { steps: string[] }>;

/**
 * Explains statements on the database.
 * @param asPlanned whether PostgreSQL may scan, hash and sort, as the statistics of the tables suggest
 */
export async function explainStatements(
  url: string,
  statements: readonly RecordedStatement[],
  asPlanned = false,
): Promise<Plans> {
  const address = parseDatabaseUrl(url);
  return address?.engine === 'sqlite'
    ? explainOnSqlite(address.file, statements)
    : explainOnPostgres(url, statements, asPlanned);
}

function explainOnSqlite(file: string, statements: readonly RecordedStatement[]): Plans {
  const plans: Plans = new Map();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const partial = database.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% where %'",
    );
    const partialIndexes = new Set(partial.all().map(({ name }) => String(name)));
    for (const { text } of statements) {
      const parameters = Array.from(text.matchAll(/\?/g), () => 1);
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters);
      const details = steps.map(({ detail }) => String(detail));
      plans.set(text, {
        scans: details.flatMap((detail) => sqliteStep(detail, partialIndexes)),
        isSorted: details.includes('USE TEMP B-TREE FOR ORDER BY'),
        steps: details,
      });
    }
  } catch {
    // The database is gone or corrupted.
  } finally {
    database?.close();
  }
  return plans;
}

/**
 * Parses a line of SQLite's query plan: `SCAN contacts`, or `SCAN contacts USING INDEX …`. Other lines do not scan a
 * table.
 * @param partialIndexes indexes that contain only a part of a table
 */
function sqliteStep(detail: string, partialIndexes: ReadonlySet<string>): ScanStep[] {
  const [, table, index = ''] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
  return table === undefined ? [] : [{ table, isWhole: !partialIndexes.has(index) }];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

async function explainOnPostgres(
  url: string,
  statements: readonly RecordedStatement[],
  asPlanned: boolean,
): Promise<Plans> {
  const plans: Plans = new Map();
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    // Otherwise, PostgreSQL would scan, hash or sort small tables even if they have a suitable index.
    for (const way of asPlanned ? [] : ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan', 'sort'])
      await client.query(`set enable_${way} = off`);
    const { rows: partial } = await client.query(
      'select relname as name from pg_index join pg_class on oid = indexrelid where indpred is not null',
    );
    const partialIndexes = new Set(partial.map(({ name }) => String(name)));
    for (const { text, values } of statements) {
      const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
      const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan;
      const nodes = nodesIn(plan);
      plans.set(text, {
        scans: nodes.flatMap((node) => postgresStep(node, partialIndexes)),
        isSorted: nodes.some((node) => node['Node Type'] === 'Sort'),
        steps: nodes.map(
          (node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''}`,
        ),
      });
    }
  } catch {
    // The database is gone.
  } finally {
    await client.end();
  }
  return plans;
}

const nodesIn = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)];

/** @param partialIndexes indexes that contain only a part of a table */
function postgresStep(node: PlanNode, partialIndexes: ReadonlySet<string>): ScanStep[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index = '' } = node;
  const isWholeIndex = /^Index/.test(type) && node['Index Cond'] === undefined && !partialIndexes.has(index);
  return table === undefined ? [] : [{ table, isWhole: type === 'Seq Scan' || isWholeIndex }];
}
