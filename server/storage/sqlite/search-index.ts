import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../store.ts';
import { estimateRows, rarestTrigrams, type TrigramSample } from '../trigram-statistics.ts';

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
 * Which trigrams a text has; their places are not kept (`detail = none`). FTS5 could look for whole words by
 * the places of their trigrams, but takes half a minute for one of many equal letters. The text itself is in
 * the contact's row; triggers carry every change of it, and every deletion, into the index.
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

// Each costs a walk; a dozen leave next to nothing that does not hold the whole word.
const maxTrigrams = 12;

/** The trigrams of some parts, as evenly taken from them as their lengths allow. */
function trigramsOf(parts: readonly string[]): string[] {
  const each = Math.max(1, Math.floor(maxTrigrams / parts.length));
  const chosen = parts.slice(0, maxTrigrams).flatMap((part) => {
    const characters = Array.from(part);
    const last = characters.length - 3;
    const locations = Array.from({ length: each }, (_, index) =>
      Math.floor((index * last) / Math.max(1, each - 1)),
    );
    return locations.map((index) => characters.slice(index, index + 3).join(''));
  });
  return [...new Set(chosen)];
}

type Alternatives = readonly (readonly string[])[];

// So many contacts of other companies are looked at rather than the whole list of those of a company that has more.
const maxStrangers = 20_000;

/**
 * Which contacts may hold all parts of one of the alternatives: a condition of the index, as FTS5 writes it.
 * @param sample where it is given, contacts of other companies may be among them
 */
export function mayMatch(
  companyId: number,
  anyOf: Alternatives,
  sample?: TrigramSample,
): RawBuilder<boolean> {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const together = (all: readonly string[][]): string =>
    all.map((trigrams) => `(${trigrams.map(quoted).join(' AND ')})`).join(' OR ');
  const rare = sample
    ? anyOf.map((allOf) => rarestTrigrams(sample, allOf)).filter((each) => each !== undefined)
    : [];
  const few = sample ? Math.min(maxStrangers, estimateRows(sample, companyId)) : 0;
  const isRare = rare.length === anyOf.length && rare.every(({ rows }) => rows <= few / anyOf.length);
  return isRare
    ? sql<boolean>`contacts_search match ${together(rare.map(({ trigrams }) => trigrams))}`
    : sql<boolean>`contacts_search match ${`${quoted(companyMark(companyId))} AND (${together(anyOf.map(trigramsOf))})`}`;
}

/** Whether the index alone decides: every part is one trigram, and all of them are asked for. */
export const isDecidedByIndex = (anyOf: Alternatives): boolean =>
  anyOf.every((allOf) => allOf.length <= maxTrigrams && allOf.every((part) => Array.from(part).length === 3));

/** Which contacts do hold them: a condition over their texts. */
export function containsParts(anyOf: Alternatives): RawBuilder<boolean> {
  const alternatives = anyOf.map(
    (allOf) =>
      sql`(${sql.join(
        allOf.map((part) => sql`instr(search_text, ${part}) > 0`),
        sql` and `,
      )})`,
  );
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}
