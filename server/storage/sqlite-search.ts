import { type RawBuilder, sql } from 'kysely';
import type { Database } from './store.ts';

// Plane 15 is for private use. Two of its characters name a company, behind a control character that no
// folded text holds; the three are one trigram, so that a search walks through one company only.
const firstOfPlane = 0xf0000;
const charactersOfPlane = 65_534;

const companyMark = (companyId: number): string =>
  `\u0002${String.fromCodePoint(
    firstOfPlane + Math.floor(companyId / charactersOfPlane),
    firstOfPlane + (companyId % charactersOfPlane),
  )}`;

/**
 * Trigrams find what stands anywhere in a text. The text itself is in the contact's row; triggers carry
 * every change of it, and every deletion, into the index.
 */
export async function makeSqliteSearchIndex(db: Database): Promise<void> {
  const entry = sql`new.id, char(2, ${sql.lit(firstOfPlane)} + new.company_id / ${sql.lit(charactersOfPlane)},
    ${sql.lit(firstOfPlane)} + new.company_id % ${sql.lit(charactersOfPlane)}) || new.search_text`;
  await sql`create virtual table contacts_search using fts5(
    text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`.execute(db);
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

/** Which contacts hold all parts of one of the alternatives: a condition of the index, as FTS5 writes it. */
export function matches(companyId: number, anyOf: readonly (readonly string[])[]): RawBuilder<boolean> {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const alternatives = anyOf.map((allOf) => `(${allOf.map(quoted).join(' AND ')})`);
  return sql<boolean>`contacts_search match ${`${quoted(companyMark(companyId))} AND (${alternatives.join(' OR ')})`}`;
}
