import { tables } from '../../generated/tables.ts';
import { ownedTables, tableNames } from '../../server/storage/schema.ts';

/** A step of a query plan, in the form of either engine. */
export interface ScanStep {
  /** The table, or its alias in the statement. */
  table: string;
  /** Whether the step reads the whole table or the whole index. */
  isWhole: boolean;
}

/** The plan of a query. */
export interface QueryPlan {
  scans: ScanStep[];
  /** Whether it sorts rows, because no index has their order. */
  isSorted: boolean;
}

/** A statement that may break a rule, and why. */
export interface Exception {
  statement: RegExp;
  reason: string;
}

/** Statements that intentionally read a whole table, of all companies. */
const wholeTables: readonly Exception[] = [
  {
    statement: /^select "company_id", "id" from "fields" where "deleted_at" is not null/,
    reason: 'A daily job removes the values of deleted fields of all companies. There are few fields.',
  },
  {
    statement: /from "webhooks" order by "id"|from "idempotency_keys" where "headers" not like/,
    reason: 'Key rotation encrypts the secrets of all companies again.',
  },
  {
    statement:
      /^select max\(id\) as "last" from|^update "webhooks" set "last_sequence" = "last_sequence" \+ \S+$/,
    reason: 'A restore advances the IDs and sequences of all companies.',
  },
  {
    statement:
      /^(update "tokens" set "revoked_at" = \S+|select "id" from "tokens") where "revoked_at" is null( limit \S+)?$/,
    reason: 'A restore can revoke the tokens of all companies.',
  },
];

/** Statements that intentionally read or change data of all companies. */
export const crossCompanyStatements: readonly Exception[] = [
  { statement: /where "digest" = /, reason: 'The token determines the company.' },
  {
    statement:
      /^select max\(id\) as id from contacts$|select company_id as company, (substr|left)\(search_text/,
    reason: 'The search samples texts of all companies, because they share its index. It returns no rows.',
  },
  {
    statement:
      /\bdeliveries\b.* where .*(leased_by"? = |leased_until"? (<=|>) |due_at"? (<=|>) )|with recursive r \(company_id, webhook_id, due_at/s,
    reason: 'A delivery worker serves all companies.',
  },
  {
    statement:
      /^update "deliveries" set "leased_by" = \S+, "leased_until" = \S+ where "leased_by" is not null$/,
    reason: 'A restore releases the leases of all workers.',
  },
  {
    statement: /from "unsettled_webhooks" as "u" .* order by "u"."webhook_id" limit/,
    reason: 'A delivery worker settles the webhooks of all companies.',
  },
  ...wholeTables,
];

/** Statements that intentionally read a whole table. */
export const fullScans: readonly Exception[] = [
  ...wholeTables,
  {
    statement: /from "unsettled_webhooks" as "u"/,
    reason: 'Few webhooks are unsettled. It uses the primary key of webhooks as soon as that table is large.',
  },
  {
    statement: /^update deliveries\b.*json_to_recordset/s,
    reason: 'Uses the primary key as soon as the table is large; see query-plans.test.ts.',
  },
];

const owned = ownedTables.join('|');
const references = new RegExp(String.raw`\b(?:from|join|update|into)\s+"?(?:${owned})"?(?![\w"])`, 'g');
const conditions = /"?company_id"? (=|in) /g;

/** Describes the violation if a statement reads or changes a company's data without a condition on the company. */
export function tenancyViolation(text: string): string | undefined {
  if (/^\s*insert/.test(text)) return undefined;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const assigned = text.match(/\bset (.*?) where /s)?.[1]?.match(conditions)?.length ?? 0;
  if (count(conditions) - assigned >= count(references)) return undefined;
  if (crossCompanyStatements.some(({ statement }) => statement.test(text))) return undefined;
  return `has no condition on company_id for each table: ${text}`;
}

/** Describes the violation if a statement reads tables that Citus stores on the coordinator and on other machines. */
export function placeViolation(text: string): string | undefined {
  const used = tableNames.filter((table) => new RegExp(`\\b(from|join) "?${table}\\b`).test(text));
  const places = new Set(used.map((table) => tables[table].onCitus));
  if (!places.has('local') || !places.has('distributed')) return undefined;
  return `uses both a table on the coordinator of Citus and a distributed one: ${text}`;
}

/** Describes the violation if the plan of a statement reads a whole table. */
export function scanViolation(text: string, steps: readonly ScanStep[]): string | undefined {
  const whole = steps.filter(({ table, isWhole }) => isWhole && isGrowing(table)).map(({ table }) => table);
  if (whole.length === 0 || fullScans.some(({ statement }) => statement.test(text))) return undefined;
  return `reads all of ${whole.join(', ')}, because no index fits: ${text}`;
}

/** Describes the violation if a statement sorts all rows of a company to return some of them. */
export function sortViolation(text: string, { isSorted }: QueryPlan): string | undefined {
  if (!isSorted || !/ order by .* limit /s.test(text)) return undefined;
  if (sortsOfFewRows.some(({ statement }) => statement.test(text))) return undefined;
  return `sorts more rows than it returns, because no index has their order: ${text}`;
}

/** Statements that intentionally sort more rows than they return. */
export const sortsOfFewRows: readonly Exception[] = [
  {
    statement: /with recursive r \(company_id, webhook_id, due_at/,
    reason: 'It finds the rows by an index, one for each webhook, and sorts them by company and time.',
  },
  { statement: /from "unsettled_webhooks" as "u"/, reason: 'Few webhooks are unsettled.' },
  { statement: /select made\.id\b/, reason: 'An index returns at most a page of each span of time.' },
  {
    statement: /with found as materialized/,
    reason: 'A search finds rows by their texts, and then sorts them.',
  },
  { statement: /from "erasures" where .* "entity_id" = /, reason: 'An ID is erased once or twice.' },
];

// The table of companies is not included, because it is small compared with their data.
const isGrowing = (table: string): boolean => (ownedTables as readonly string[]).includes(table);
