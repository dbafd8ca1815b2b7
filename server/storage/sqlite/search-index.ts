import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../store.ts';

// Plane 15 of Unicode is for private use. Two of its characters identify a company, after a control character that
// folded texts never contain. The three characters form one trigram, which restricts a search to one company.
const firstOfPlane = 0xf0000;
const charactersOfPlane = 65_534;

const companyMark = (companyId: number): string =>
  `\u0002${String.fromCodePoint(
    firstOfPlane + Math.floor(companyId / charactersOfPlane),
    firstOfPlane + (companyId % charactersOfPlane),
  )}`;

/**
 * Creates a trigram index without positions (`detail = none`). With positions, FTS5 could match whole words, but a
 * search for a long run of one letter would take 30 s. Triggers keep the index up to date.
 */
export async function createSqliteSearchIndex(db: Database): Promise<void> {
  const entry = sql`new.id, char(2, ${sql.lit(firstOfPlane)} + new.company_id / ${sql.lit(charactersOfPlane)},
    ${sql.lit(firstOfPlane)} + new.company_id % ${sql.lit(charactersOfPlane)}, 10) || new.search_text`;
  await sql`create virtual table contacts_search using fts5(
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1')`.execute(
    db,
  );
  await sql`create trigger contacts_search_insert after insert on contacts
    when new.search_text is not null and new.deleted_at is null
    begin insert into contacts_search (rowid, text) values (${entry}); end`.execute(db);
  await sql`create trigger contacts_search_update after update of search_text, deleted_at on contacts
    when old.search_text is not new.search_text or old.deleted_at is not new.deleted_at
    begin
      delete from contacts_search where rowid = old.id;
      insert into contacts_search (rowid, text)
        select ${entry} where new.search_text is not null and new.deleted_at is null;
    end`.execute(db);
}

// Maximum number of trigrams per alternative. Each trigram costs an index scan, and twelve leave few false matches.
const maxTrigrams = 12;

/** Returns at most `maxTrigrams` trigrams: the same number from each part, at evenly spaced positions. */
function trigramsOf(parts: readonly string[]): string[] {
  const each = Math.max(1, Math.floor(maxTrigrams / parts.length));
  const chosen = parts.slice(0, maxTrigrams).flatMap((part) => {
    const characters = Array.from(part);
    const last = characters.length - 3;
    const offsets = Array.from({ length: each }, (_, index) =>
      Math.floor((index * last) / Math.max(1, each - 1)),
    );
    return offsets.map((index) => characters.slice(index, index + 3).join(''));
  });
  return [...new Set(chosen)];
}

type Alternatives = readonly (readonly string[])[];

/** Returns an FTS5 condition for contacts that may match. */
export function mayMatch(companyId: number, anyOf: Alternatives): RawBuilder<boolean> {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const together = anyOf.map((allOf) => `(${trigramsOf(allOf).map(quoted).join(' AND ')})`).join(' OR ');
  return sql<boolean>`contacts_search match ${`${quoted(companyMark(companyId))} AND (${together})`}`;
}

/**
 * Whether the index alone decides which contacts match, so that their texts need not be read. It does if every part is
 * a single trigram, and no part is left out of the query.
 */
export const isDecidedByIndex = (anyOf: Alternatives): boolean =>
  anyOf.every((allOf) => allOf.length <= maxTrigrams && allOf.every((part) => Array.from(part).length === 3));
