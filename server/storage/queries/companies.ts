import type { Selectable } from 'kysely';
import { engineOf } from '../engine.ts';
import type { Database } from '../store.ts';
import type { CompanyTable } from '../tables/companies.ts';
import { findRow } from './rows.ts';

export type CompanyRow = Selectable<CompanyTable>;

/** @returns the ID of the company */
export async function insertCompany(
  db: Database,
  company: { name: string; created_at: number },
): Promise<number> {
  const { id } = await db.insertInto('companies').values(company).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Whether the database has any company. */
export async function hasCompanies(db: Database): Promise<boolean> {
  return (await db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Whether the database has or had any company. Companies that were erased keep their IDs. */
export const hasHadCompanies = async (db: Database): Promise<boolean> =>
  (await hasCompanies(db)) || (await engineOf(db).lastAssignedId(db, 'companies')) > 0;

export function listCompanies(db: Database): Promise<CompanyRow[]> {
  return db.selectFrom('companies').selectAll().orderBy('id').execute();
}

export function findCompany(db: Database, id: number): Promise<CompanyRow | undefined> {
  return findRow(db, 'companies', { id });
}
