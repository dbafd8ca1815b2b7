import type { Selectable } from 'kysely';
import type { CompanyTable } from './schema.ts';
import type { Database } from './store.ts';

export type CompanyRow = Selectable<CompanyTable>;

/** @returns the new company's id */
export async function insertCompany(
  db: Database,
  company: { name: string; created_at: number },
): Promise<number> {
  const { id } = await db.insertInto('companies').values(company).returning('id').executeTakeFirstOrThrow();
  return id;
}

export function listCompanies(db: Database): Promise<CompanyRow[]> {
  return db.selectFrom('companies').selectAll().orderBy('id').execute();
}

export function findCompany(db: Database, id: number): Promise<CompanyRow | undefined> {
  return db.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();
}
