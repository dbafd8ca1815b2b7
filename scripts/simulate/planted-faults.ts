/** A change to a file: a text that occurs exactly once in it, and its replacement. */
export interface Patch {
  file: string;
  from: string;
  to: string;
}

/**
 * Returns the content of a file with a patch.
 * @throws Error if the text does not occur exactly once, because the source has changed
 */
export function patched(content: string, { file, from, to }: Patch): string {
  const count = content.split(from).length - 1;
  if (count !== 1)
    throw new Error(
      `${file} contains the text of a patch ${count} times instead of once: ${from.slice(0, 80)}`,
    );
  return content.replace(from, () => to);
}

/**
 * Faults of the kinds that the simulator must find, one at a time: by file and name, a text of the source, and its
 * replacement. They were written before the simulator was tuned.
 */
const faults: Record<string, Record<string, [from: string, to: string]>> = {
  'server/delivery/claim.ts': {
    'a lease ends before its worker renews it': ['worker, until });', 'worker, until: until - 18_000 });'],
  },
  'server/delivery/dispatcher.ts': {
    'the limit of requests per company is not enforced': ['maxPerKey: limits.perCompany', 'maxPerKey: 1e9'],
  },
  'server/delivery/outcome.ts': {
    'a failed delivery is not sent again': ["'waiting', dueAt: now + delay", "'exhausted', dueAt: null"],
  },
  'server/delivery/publish.ts': {
    'events are stored outside of the transaction': [
      'await insertDeliveries(db, deliveries);',
      'setTimeout(() => void insertDeliveries(db, deliveries), 5);',
    ],
  },
  'server/delivery/send-delivery.ts': {
    'a worker does not check its claim before it sends': [
      '() => isStillClaimed(claimed)',
      'async () => true',
    ],
    'a worker trusts a check that was suspended': ['!isLate && webhook', 'webhook'],
  },
  'server/delivery/worker.ts': {
    'due times in the future are not repaired': ['repairFutureDates(db, latest)', 'void [db, latest]'],
    'a worker does not forget recorded deliveries': ['dispatcher.forget(row);', ''],
    'a worker that stops returns deliveries in flight': ['await running;', ''],
    'a worker that stops sends claimed deliveries': ['dispatcher.clear();', ''],
  },
  'server/features/contacts/handlers.ts': {
    'the entity tag is compared before the transaction': [
      "const change = { companyId, id: path.id, contact, ifMatch: headers['if-match'] };",
      "const early = await store.read((db) => findContact(db, companyId, path.id));\n  if (early && headers['if-match'] !== entityTag(JSON.stringify(presentContact(early))))\n    return errorResponse('preconditionFailed', { message: 'changed', fields: 'header/If-Match' });\n  const change = { companyId, id: path.id, contact, ifMatch: undefined };",
    ],
  },
  'server/features/fields/values.ts': {
    'a unique value is not claimed': ['definition.is_unique ? uniqueDigest(canonical.key) : null', 'null'],
  },
  'server/features/idempotency.ts': {
    'an idempotency key is not claimed': [
      'claimIdempotencyKey(db, row)))) {',
      'claimIdempotencyKey(db, row))) && !key) {',
    ],
  },
  'server/features/privacy/erase-contact.ts': {
    'an erasure does not wait for requests in flight': ['if (!claimed) await', 'if (claimed) await'],
    'an erasure leaves stored responses': ['await eraseStoredResponsesOf(', 'void ('],
  },
  'server/features/webhooks/enable-disable.ts': {
    'an enabled webhook does not resume its deliveries': ['});\n  await unsettle(db, companyId, id);', '});'],
  },
  'server/own-contract/pagination.ts': {
    'the cursor of a page is off by one': ['? idOf(final) : undefined', '? idOf(final) + 1 : undefined'],
    'a page with a cursor also skips the earlier pages': ['after === undefined ? page', 'true ? page'],
  },
  'server/security/auth/authenticate.ts': {
    'a process caches valid tokens': [
      'store.read((db) => findTokenByDigest(db, tokenDigest(presented)))',
      '((limits.cached ??= {})[presented] ??= store.read((db) => findTokenByDigest(db, tokenDigest(presented))))',
    ],
  },
  'server/security/auth/caller-store.ts': {
    'a write does not check its token in the transaction': ['requireValidToken(db, caller, now)', 'null'],
  },
  'server/storage/find-due.ts': {
    'a newer event overtakes an older one about the same contact': ['o.sequence <', 'o.sequence >'],
  },
  'server/storage/queries/contacts.ts': {
    'contacts of other companies are visible': [
      "'=', companyId).where('deleted_at'",
      "'>', 0).where('deleted_at'",
    ],
  },
  'server/storage/queries/delivery-queue.ts': {
    'leases never end': ['leased_until: is.atMost(now)', 'leased_until: is.atMost(now - 1e12)'],
    'a late outcome changes a canceled delivery': [" and deliveries.state = 'waiting'", ''],
    'a canceled delivery keeps its lease': ['!isStored.has(', 'isStored.has('],
  },
  'server/storage/sqlite/group-commit.ts': {
    'a write waits for a lock without a deadline': ['performance.now() + pause > deadline', 'deadline < 0'],
    'a write is acknowledged before its commit': ['guard?.refuse();', 'for (const settle of done) settle();'],
    'a write that fails keeps its first changes': ['ROLLBACK TO job; ', ''],
  },
  'server/storage/sqlite/sqlite-store.ts': {
    'a list and its total come from different snapshots': [
      'const inSnapshot = serializeReads(snapshotReader);',
      'const inSnapshot = (work) => work(snapshotReader.db);',
    ],
    'a commit is acknowledged before it is synced': ['PRAGMA synchronous = FULL', 'PRAGMA synchronous = OFF'],
  },
};

/** The planted faults by name. */
export const plantedFaults: Record<string, Patch> = Object.fromEntries(
  Object.entries(faults).flatMap(([file, ofFile]) =>
    Object.entries(ofFile).map(([name, [from, to]]) => [name, { file, from, to }]),
  ),
);
