import type { Mutant } from '../mutant.ts';

/** Bugs that lose, repeat or delay events, and that break each layer of the egress policy. */
export const deliveryMutants: readonly Mutant[] = [
  {
    name: 'before a call nobody looks at how its address is written',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > an address that was allowed when it was registered is judged anew by the settings of the sender',
    area: 'delivery',
    file: 'server/delivery/sender.ts',
    from: 'if (wrong !== undefined) throw',
    to: 'if (wrong === "") throw',
  },
  {
    name: 'an address that a webhook names by itself is not judged',
    killedBy:
      'test/server/features/webhooks/webhooks.test.ts > https://127.0.0.1/ is no address for a webhook',
    area: 'delivery',
    file: 'server/egress/url-check.ts',
    from: 'literal !== undefined && !isAllowed(literal, policy)',
    to: 'literal === "" && !isAllowed(literal, policy)',
  },
  {
    name: 'only the first address of a name is judged when it is called',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > a name that leads to a forbidden address is not called, nor one that has a good one beside it',
    area: 'delivery',
    file: 'server/egress/resolver.ts',
    from: 'addresses.find((address) => !isAllowed(address, policy))',
    to: 'addresses.slice(0, 1).find((address) => !isAllowed(address, policy))',
  },
  {
    name: 'the addresses of a name are not judged when it is called',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > a name that leads to a forbidden address is not called, nor one that has a good one beside it',
    area: 'delivery',
    file: 'server/egress/resolver.ts',
    from: 'addresses.find((address) => !isAllowed(address, policy))',
    to: 'addresses.find((address) => address === "")',
  },
  {
    name: 'the address that a socket has reached is not judged',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > a socket that has reached a forbidden address is closed before a byte is written',
    area: 'delivery',
    file: 'server/delivery/connector.ts',
    from: 'if (!proxy && !isAllowed(reached, policy)) {',
    to: 'if (!proxy && reached === "-") {',
  },
  {
    name: 'a name is looked up again for the connection itself',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > a name server that changes its mind between two questions gains nothing: what was judged is what is called',
    area: 'delivery',
    file: 'server/delivery/connector.ts',
    from: 'dial(addresses, Number(port)',
    to: 'dial([...(await resolve(hostname)), ...addresses].slice(0, 1), Number(port)',
  },
  {
    name: 'a delivery is taken although an older one about the same entity is due',
    killedBy:
      'test/server/delivery/ordering.test.ts > there is one delivery at a time about the same contact, the oldest first, and others beside it',
    area: 'delivery',
    file: 'server/storage/queue-types.ts',
    from: 'o.sequence < d.sequence',
    to: 'o.sequence < 0',
  },
  {
    name: 'a delivery is taken beside another one about the same entity',
    killedBy:
      'test/server/delivery/ordering.test.ts > an older one that becomes due while a newer one is on its way waits for it, and holds back no other',
    area: 'delivery',
    file: 'server/storage/queue-types.ts',
    from: 'l.leased_by is not null)',
    to: "l.leased_by = 'nobody')",
  },
  {
    name: 'leases of a worker that is gone never end',
    killedBy:
      'test/server/delivery/workers.test.ts > what a worker does not come back with is sent by another when its lease is over, and not before',
    area: 'delivery',
    file: 'server/delivery/claim.ts',
    from: '  await expireLeases(db, now);\n',
    to: '  await expireLeases(db, 0);\n',
  },
  {
    name: 'a worker that lives does not keep its leases',
    killedBy:
      'test/server/delivery/workers.test.ts > a call that lasts longer than the lease stays the own one of a worker that lives',
    area: 'delivery',
    file: 'server/delivery/worker.ts',
    from: 'if (isLate) await renewLeases(',
    to: 'if (isLate && rows.length < 0) await renewLeases(',
  },
  {
    name: 'deliveries are given up one attempt too early',
    killedBy:
      'test/server/delivery/retries.test.ts > with a chance of 0.5 each step is 1 of what the table says, and after the last it is given up and kept',
    area: 'delivery',
    file: 'server/delivery/retry-schedule.ts',
    from: 'const step = retryDelays[attempts];',
    to: 'const step = retryDelays[attempts + 1];',
  },
  {
    name: 'the old secret is not used for the day after it was changed',
    killedBy:
      'test/server/operator/webhooks.test.ts > for a day after its secret was changed, events are signed with the old one, too',
    area: 'delivery',
    file: 'server/delivery/signing-keys.ts',
    from: 'now < previous_secret_until',
    to: 'now > previous_secret_until',
  },
  {
    name: 'a replay that fails makes its webhook look ill',
    killedBy:
      'test/server/operator/webhooks.test.ts > a replay sends again with the same id, and says nothing of the health of the webhook',
    area: 'delivery',
    file: 'server/delivery/attempt-outcome.ts',
    from: 'replayed ? before : (before ?? attempt.at)',
    to: '(before ?? attempt.at)',
  },
  {
    name: 'events of a disabled webhook are lost for it',
    killedBy:
      'test/server/operator/webhooks.test.ts > a webhook is disabled and enabled, and what happened meanwhile is sent then',
    area: 'delivery',
    file: 'server/events/publish.ts',
    from: "state: 'held' as const",
    to: "state: 'ended' as const",
  },
  {
    name: 'a request that hangs keeps its place among the fast ones',
    killedBy:
      'test/server/delivery/fairness.test.ts > a slow request gives its place to fast ones, as long as there is a place for slow ones',
    area: 'delivery',
    file: 'server/delivery/bulkhead.ts',
    from: "        lane = 'slow';\n        slow += 1;\n        fast -= 1;",
    to: "        lane = 'slow';\n        slow += 1;\n        fast -= 0;",
  },
  {
    name: 'a request that hangs counts towards the total of its origin',
    killedBy:
      'test/server/delivery/fairness.test.ts > slow requests do not count towards the total of their origin',
    area: 'delivery',
    file: 'server/delivery/bulkhead.ts',
    from: "countAtOrigin(target, -1);\n          lane = 'late';",
    to: "lane = 'late';",
  },
  {
    name: 'one company may claim all that a worker has room for',
    killedBy:
      'test/server/delivery/fairness.test.ts > a webhook that hangs after it worked does not take the room of other companies',
    area: 'delivery',
    file: 'server/delivery/dispatcher.ts',
    from: 'Math.ceil((free() - (ofCompany.get(companyId) ?? 0)) / 2)',
    to: 'free()',
  },
  {
    name: 'a company may have any number of requests in flight',
    killedBy:
      'test/server/delivery/fairness.test.ts > limits the requests in flight of each company, so two companies that hang do not stall a third',
    area: 'delivery',
    file: 'server/delivery/dispatcher.ts',
    from: 'bulkhead.companyRoom(first.delivery.companyId) <= 0',
    to: 'false',
  },
  {
    name: 'a webhook is created for a token that was revoked while the request arrived',
    killedBy:
      'test/server/operator/webhooks.test.ts > a token revoked while the body of POST arrives makes no webhook',
    area: 'delivery',
    file: 'server/auth/require-valid-token.ts',
    from: 'token.revoked_at !== null',
    to: 'false',
  },
  {
    name: 'a webhook update needs no read scope of the entity subscribed to before',
    killedBy:
      'test/server/features/webhooks/webhook-scopes.test.ts > rejects a webhook update by a token that may not read the events subscribed to before',
    area: 'delivery',
    file: 'server/features/webhooks/handlers.ts',
    from: 'if (forbiddenBefore) return',
    to: "if (forbiddenBefore && body.url === '') return",
  },
  {
    name: 'a webhook update enables what the operator disabled',
    killedBy:
      'test/server/features/webhooks/webhook-scopes.test.ts > a webhook update does not enable a webhook that the operator disabled',
    area: 'delivery',
    file: 'server/features/webhooks/handlers.ts',
    from: "webhook.disabled_why === 'operator'",
    to: "webhook.disabled_why === 'gone'",
  },
  {
    name: 'queued deliveries of another event type are sent',
    killedBy:
      'test/server/features/webhooks/webhook-scopes.test.ts > never sends queued deliveries of an event type that the webhook no longer subscribes to',
    area: 'delivery',
    file: 'server/delivery/claim.ts',
    from: "type === typeOf(webhooks.get(webhookId)) ? 'true'",
    to: "type !== '' ? 'true'",
  },
  {
    name: 'what an old address says switches off the new one',
    killedBy:
      'test/server/delivery/failures.test.ts > what an address says that was left meanwhile does not switch off the new one',
    area: 'delivery',
    file: 'server/delivery/webhook-health.ts',
    from: 'url === called.url && verb_id === called.verb_id',
    to: 'url !== "" || verb_id === called.verb_id',
  },
  {
    name: 'what lies ready is sent without another look at its webhook',
    killedBy:
      'test/server/delivery/failures.test.ts > what lies ready goes nowhere once its webhook is deleted or has another address',
    area: 'delivery',
    file: 'server/delivery/staleness-check.ts',
    from: 'if (performance.now() - takenAt < freshMs) return true;',
    to: 'if (performance.now() - takenAt >= 0) return true;',
  },
  {
    name: 'the sweep forgets what is to be sent again',
    killedBy:
      'test/server/delivery/failures.test.ts > old deliveries are forgotten, but none that is to be sent again',
    area: 'delivery',
    file: 'server/storage/queries/deliveries.ts',
    from: "    .where('state', 'in', ['delivered', 'ended'])\n",
    to: '',
  },
  {
    name: 'a worker looks round and round while nothing can be taken',
    killedBy:
      'test/server/delivery/failures.test.ts > while nothing can be taken, the database is left in peace, however many webhooks wait',
    area: 'delivery',
    file: 'server/delivery/claim.ts',
    from: 'return { visited: [...behind, ...before], isRound: true };',
    to: 'return { visited: [...behind, ...before], isRound: behind.length + before.length < maxWebhooks };',
  },
];
