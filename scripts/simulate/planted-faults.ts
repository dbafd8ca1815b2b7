import type { Patch } from '../lib/project-copy.ts';

/**
 * Faults of the kinds that the simulator must find, one at a time, by name. They were written before the simulator was
 * tuned.
 */
export const plantedFaults: Record<string, Patch> = {
  'a newer event overtakes an older one about the same contact': {
    file: 'server/storage/find-due.ts',
    from: 'o.data_id = d.data_id and o.sequence < d.sequence',
    to: 'o.data_id = d.data_id and o.sequence > d.sequence',
  },
  'a lease ends before its worker renews it': {
    file: 'server/delivery/claim.ts',
    from: '{ worker, until });',
    to: '{ worker, until: until - 18_000 });',
  },
  'a write does not check its token in the transaction': {
    file: 'server/security/auth/caller-store.ts',
    from: 'const checking = requireValidToken(db, caller, now);',
    to: 'const checking = Promise.resolve();',
  },
  'an idempotency key is not claimed': {
    file: 'server/features/idempotency.ts',
    from: 'if (!(await takenInTime(claimIdempotencyKey(db, row)))) {',
    to: 'if (!(await takenInTime(claimIdempotencyKey(db, row))) && !key) {',
  },
  'the cursor of a page is off by one': {
    file: 'server/own-contract/pagination.ts',
    from: '? idOf(final) : undefined',
    to: '? idOf(final) + 1 : undefined',
  },
  'a page with a cursor also skips the earlier pages': {
    file: 'server/own-contract/pagination.ts',
    from: 'after === undefined ? page * per_page : 0',
    to: 'page * per_page',
  },
  'a write waits for a lock without a deadline': {
    file: 'server/storage/sqlite/group-commit.ts',
    from: 'performance.now() + pause > deadline',
    to: 'deadline < 0',
  },
  'events are stored outside of the transaction': {
    file: 'server/delivery/publish.ts',
    from: 'await insertDeliveries(db, deliveries);',
    to: 'setTimeout(() => void insertDeliveries(db, deliveries), 5);',
  },
  'a write is acknowledged before its commit': {
    file: 'server/storage/sqlite/group-commit.ts',
    from: 'guard?.refuse();',
    to: 'for (const settle of done) settle();',
  },
  'a process caches valid tokens': {
    file: 'server/security/auth/authenticate.ts',
    from: 'store.read((db) => findTokenByDigest(db, tokenDigest(presented)))',
    to: '((limits.cached ??= {})[presented] ??= store.read((db) => findTokenByDigest(db, tokenDigest(presented))))',
  },
  'an erasure does not wait for requests in flight': {
    file: 'server/features/privacy/erase-contact.ts',
    from: 'if (!claimed) await finishErasure(',
    to: 'if (claimed) await finishErasure(',
  },
  'a worker does not check its claim before it sends': {
    file: 'server/delivery/send-delivery.ts',
    from: 'mayBeSent: () => isStillClaimed(claimed)',
    to: 'mayBeSent: async () => true',
  },
  'due times in the future are not repaired': {
    file: 'server/delivery/worker.ts',
    from: 'await store.write((db) => repairFutureDates(db, latest));',
    to: 'void [repairFutureDates, latest];',
  },
  'the entity tag is compared before the transaction': {
    file: 'server/features/contacts/handlers.ts',
    from: "const change = { companyId, id: path.id, contact, ifMatch: headers['if-match'] };",
    to: `const early = await store.read((db) => findContact(db, companyId, path.id));
  if (early && headers['if-match'] !== entityTag(JSON.stringify(presentContact(early))))
    return errorResponse('preconditionFailed', { message: 'changed', fields: 'header/If-Match' });
  const change = { companyId, id: path.id, contact, ifMatch: undefined };`,
  },
  'contacts of other companies are visible': {
    file: 'server/storage/queries/contacts.ts',
    from: "db.selectFrom('contacts').where('company_id', '=', companyId).where('deleted_at', 'is', null);",
    to: "db.selectFrom('contacts').where('company_id', '>', 0).where('deleted_at', 'is', null);",
  },
  'leases never end': {
    file: 'server/storage/queries/delivery-queue.ts',
    from: 'leased_until: is.atMost(now)',
    to: 'leased_until: is.atMost(now - 1e12)',
  },
  'an enabled webhook does not resume its deliveries': {
    file: 'server/features/webhooks/enable-disable.ts',
    from: '});\n  await unsettle(db, companyId, id);',
    to: '});',
  },
  'a write that fails keeps its first changes': {
    file: 'server/storage/sqlite/group-commit.ts',
    from: "raw.exec('ROLLBACK TO job; RELEASE job');",
    to: "raw.exec('RELEASE job');",
  },
  'a worker does not forget recorded deliveries': {
    file: 'server/delivery/worker.ts',
    from: 'dispatcher.forget(row);',
    to: '',
  },
  'the limit of requests per company is not enforced': {
    file: 'server/delivery/bulkhead.ts',
    from: 'ofCompany.of(companyId) < limits.maxPerCompany',
    to: 'true',
  },
  'an erasure leaves stored responses': {
    file: 'server/features/privacy/erase-contact.ts',
    from: 'await eraseStoredResponsesOf(',
    to: 'void (',
  },
  'a list and its total come from different snapshots': {
    file: 'server/storage/sqlite/sqlite-store.ts',
    from: 'const inSnapshot = serializeReads(snapshotReader);',
    to: 'const inSnapshot = (work) => work(snapshotReader.db);',
  },
  'a worker that stops returns deliveries in flight': {
    file: 'server/delivery/worker.ts',
    from: 'await running;',
    to: '',
  },
  'a failed delivery is not sent again': {
    file: 'server/delivery/outcome.ts',
    from: ": { state: 'waiting', dueAt: now + delay, failingSince };",
    to: ": { state: 'exhausted', dueAt: null, failingSince };",
  },
  'a worker trusts a check that was suspended': {
    file: 'server/delivery/send-delivery.ts',
    from: 'resolve(!isLate && webhook',
    to: 'resolve((isLate || !isLate) && webhook',
  },
  'a unique value is not claimed': {
    file: 'server/features/fields/values.ts',
    from: 'definition.is_unique ? uniqueDigest(canonical.key) : null',
    to: 'null',
  },
  'a late outcome changes a canceled delivery': {
    file: 'server/storage/queries/delivery-queue.ts',
    from: " and deliveries.state = 'waiting'",
    to: '',
  },
  'a canceled delivery keeps its lease': {
    file: 'server/storage/queries/delivery-queue.ts',
    from: '!isStored.has(formatDeliveryKey(key))',
    to: 'isStored.has(formatDeliveryKey(key))',
  },
  'a worker that stops sends claimed deliveries': {
    file: 'server/delivery/worker.ts',
    from: 'dispatcher.clear();',
    to: '',
  },
  'a commit is acknowledged before it is synced': {
    file: 'server/storage/sqlite/sqlite-store.ts',
    from: 'PRAGMA synchronous = FULL',
    to: 'PRAGMA synchronous = OFF',
  },
};
