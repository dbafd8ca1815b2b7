import { userInfo } from 'node:os';
import { insertAuditRecord } from '../../storage/queries/audit-records.ts';
import type { Store } from '../../storage/store.ts';

/** A command of an operator. */
export interface AuditedCommand {
  /** Its name, such as `token revoke`. */
  name: string;
  /** Its options, without personal data. */
  options: Readonly<Record<string, unknown>>;
  environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns a store that records a command with its first committed write, in the same transaction. Commands that write
 * nothing, or fail, leave no record.
 * @param now returns milliseconds since 1970
 */
export function recordCommands(store: Store, command: AuditedCommand, now: () => number): Store {
  let isRecorded = false;
  return {
    ...store,
    async write(work, company) {
      const result = await store.write(async (db) => {
        if (!isRecorded) await insertAuditRecord(db, toRecord(command, now()));
        return work(db);
      }, company);
      isRecorded = true;
      return result;
    },
  };
}

function toRecord({ name, options, environment }: AuditedCommand, now: number) {
  const { company } = options;
  return {
    company_id: typeof company === 'number' ? company : 0,
    created_at: now,
    operator: operatorName(environment),
    action: name,
    options: JSON.stringify(options),
  };
}

/** Returns the operator's name: the user who called `sudo`, or else `LOGNAME`, or else the user of the process. */
function operatorName({ SUDO_USER: caller, LOGNAME: name }: AuditedCommand['environment']): string {
  if (caller) return caller;
  if (name) return name;
  try {
    return userInfo().username;
  } catch {
    // Containers can run as a user without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
