import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTemporaryFolder } from '../lib/in-temporary-folder.ts';
import type { LabEnvironment } from './environment.ts';

/** A company in the database of a lab environment. */
export interface Tenant {
  id: string;
  /** A token with all scopes. */
  token: string;
  /** The headers of requests with JSON. */
  headers: { authorization: string; 'content-type': string };
  /** Imports records, in the format of `parley import`. In an empty database, their IDs are their numbers, from 1. */
  importRecords: (records: readonly object[]) => Promise<void>;
}

/** Creates a company and its token with the operator's commands. */
export async function createTenant({ parley }: LabEnvironment): Promise<Tenant> {
  const id = String((await parley('company', 'create', '--name', 'Acme')).id);
  const token = String((await parley('token', 'create', '--company', id, '--user', '1')).token);
  return {
    ...{ id, token },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    importRecords: (records) =>
      inTemporaryFolder(async (folder) => {
        const file = join(folder, 'records.ndjson');
        await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
        await parley('import', '--company', id, file);
      }),
  };
}
