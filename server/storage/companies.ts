import type { Selectable } from 'kysely';
import type { CompanyTable } from './schema.ts';
import type { Database } from './store.ts';

type CompanyRow = Selectable<CompanyTable>;

/** @returns the new company's id */
export async function insertCompany(
  db: Database,
  company: { name: string; created_at: number },
): Promise<number> {
  const { id } = await db.insertInto('companies').values(company).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Whether anybody has used this database yet. */
export async function holdsCompanies(db: Database): Promise<boolean> {
  return (await db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export function listCompanies(db: Database): Promise<CompanyRow[]> {
  return db.selectFrom('companies').selectAll().orderBy('id').execute();
}

export function findCompany(db: Database, id: number): Promise<CompanyRow | undefined> {
  return db.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();
}
