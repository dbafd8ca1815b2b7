import type { Mutant } from '../mutant.ts';

/** Bugs in webhooks: in the delivery of events, in each layer of the egress policy, and in permissions. */
export const deliveryMutants: readonly Mutant[] = [
  {
    name: 'the URL is not checked again before a request',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > the sender rejects a URL that its own egress policy does not allow',
    declaration: 'createSender',
    from: 'if (wrong !== undefined) throw',
    to: 'if (wrong === "") throw',
  },
  {
    name: 'an IP address as host is not checked',
    killedBy: 'test/server/features/webhooks/webhooks.test.ts > rejects https://127.0.0.1/ as a webhook URL',
    declaration: 'checkUrl',
    from: 'literal !== undefined && !isAllowed(literal, policy)',
    to: 'literal === "" && !isAllowed(literal, policy)',
  },
  {
    name: 'only the first address of a host is checked',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > does not connect to a host with a forbidden address, even if another of its addresses is allowed',
    declaration: 'resolveAllowed',
    from: 'addresses.find((address) => !isAllowed(address, policy))',
    to: 'addresses.slice(0, 1).find((address) => !isAllowed(address, policy))',
  },
  {
    name: 'the addresses of a host are not checked',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > does not connect to a host with a forbidden address, even if another of its addresses is allowed',
    declaration: 'resolveAllowed',
    from: 'addresses.find((address) => !isAllowed(address, policy))',
    to: 'addresses.find((address) => address === "")',
  },
  {
    name: 'the address of the connected socket is not checked',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > closes a socket without writing to it if it is connected to a forbidden address',
    declaration: 'open',
    from: 'if (!proxy && !isAllowed(reached, policy)) {',
    to: 'if (!proxy && reached === "-") {',
  },
  {
    name: 'the connection resolves the host again',
    killedBy:
      'test/server/delivery/ssrf-guard.test.ts > connects only to checked addresses when a host alternates between public and forbidden addresses',
    declaration: 'open',
    from: 'dial(addresses, Number(port)',
    to: 'dial([...(await resolve(hostname)), ...addresses].slice(0, 1), Number(port)',
  },
  {
    name: 'a delivery is claimed before an older one of the same entity',
    killedBy:
      'test/server/delivery/ordering.test.ts > sends deliveries of one contact in order, one at a time, and those of other contacts in parallel',
    declaration: 'isFirstOfEntity',
    from: 'o.sequence < d.sequence',
    to: 'o.sequence < 0',
  },
  {
    name: 'two deliveries of the same entity are claimed together',
    killedBy:
      'test/server/delivery/ordering.test.ts > a due retry waits for a newer in-flight delivery of its contact, without delaying other contacts',
    declaration: 'isFirstOfEntity',
    from: 'l.leased_by is not null)',
    to: "l.leased_by = 'nobody')",
  },
  {
    name: 'leases of a dead worker never end',
    killedBy:
      "test/server/delivery/workers.test.ts > another worker sends a dead worker's delivery after the lease ends, and not before",
    declaration: 'claim',
    from: '  await expireLeases(db, now);\n',
    to: '  await expireLeases(db, 0);\n',
  },
  {
    name: 'a worker does not renew its leases',
    killedBy:
      'test/server/delivery/workers.test.ts > a live worker renews its lease, so no other worker repeats a long request',
    declaration: 'startWorker',
    from: 'if (mustRenew) await renewLeases(',
    to: 'if (mustRenew && batch.length < 0) await renewLeases(',
  },
  {
    name: 'deliveries are exhausted one attempt too early',
    killedBy:
      'test/server/delivery/retries.test.ts > with a random value of 0.5, each delay is 1 times the scheduled one, and the last failure exhausts the delivery',
    declaration: 'retryDelay',
    from: 'const step = retryDelays[attempts];',
    to: 'const step = retryDelays[attempts + 1];',
  },
  {
    name: 'the old secret does not sign after a rotation',
    killedBy:
      'test/server/operator/webhooks.test.ts > signs events with the old and the new secret for a day after a rotation',
    declaration: 'createSigningKeys',
    from: 'now < previous_secret_until',
    to: 'now > previous_secret_until',
  },
  {
    name: 'a failed replay changes the health of its webhook',
    killedBy:
      'test/server/operator/webhooks.test.ts > delivery replay sends an event again with the same ID, and does not change failing_since',
    declaration: 'decideOutcome',
    from: 'replayed ? before : (before ?? attempt.at)',
    to: '(before ?? attempt.at)',
  },
  {
    name: 'events of a disabled webhook are lost',
    killedBy:
      'test/server/operator/webhooks.test.ts > disabling a webhook keeps its events, and enabling it sends them',
    declaration: 'publish',
    from: "state: 'held' as const",
    to: "state: 'ended' as const",
  },
  {
    name: 'a hanging request keeps its fast slot',
    killedBy:
      'test/server/delivery/fairness.test.ts > a slow request frees its fast slot while slow slots are free',
    declaration: 'createBulkhead',
    from: "        lane = 'slow';\n        slow += 1;\n        fast -= 1;",
    to: "        lane = 'slow';\n        slow += 1;\n        fast -= 0;",
  },
  {
    name: 'a hanging request counts towards the total of its origin',
    killedBy:
      'test/server/delivery/fairness.test.ts > slow requests do not count toward the limit of their origin',
    declaration: 'createBulkhead',
    from: "countAtOrigin(target, -1);\n          lane = 'late';",
    to: "lane = 'late';",
  },
  {
    name: 'one company may claim all free slots of a worker',
    killedBy:
      'test/server/delivery/fairness.test.ts > a webhook that hangs after successes does not take capacity from other companies',
    declaration: 'createDeliveryDispatcher',
    from: 'Math.ceil((free() - (claimedOfCompany.get(companyId) ?? 0)) / 2)',
    to: 'free()',
  },
  {
    name: 'a company may have any number of requests in flight',
    killedBy:
      'test/server/delivery/fairness.test.ts > limits requests in flight per company, so hanging receivers of two companies do not stall a third',
    declaration: 'createDeliveryDispatcher',
    from: 'bulkhead.companyRoom(first.delivery.companyId) <= 0',
    to: 'false',
  },
  {
    name: 'a webhook is created for a token that was revoked while the request arrived',
    killedBy:
      'test/server/contract/revoked-tokens.test.ts > createWebhook changes nothing if the token is revoked while the body arrives',
    declaration: 'requireValidToken',
    from: 'token.revoked_at !== null',
    to: 'false',
  },
  {
    name: 'a webhook update needs no read scope of the entity subscribed to before',
    killedBy:
      'test/server/features/webhooks/webhook-scopes.test.ts > rejects a webhook update by a token that may not read the previously subscribed events',
    declaration: 'updateWebhook',
    from: 'if (forbiddenBefore) return',
    to: "if (forbiddenBefore && body.url === '') return",
  },
  {
    name: 'a webhook update enables what the operator disabled',
    killedBy:
      'test/server/features/webhooks/webhook-scopes.test.ts > a webhook update does not enable a webhook that the operator disabled',
    declaration: 'updateWebhook',
    from: "webhook.disabled_why === 'operator'",
    to: "webhook.disabled_why === 'gone'",
  },
  {
    name: 'queued deliveries of another event type are sent',
    killedBy:
      'test/server/features/webhooks/webhook-scopes.test.ts > never sends queued deliveries of an event type that the webhook no longer subscribes to',
    declaration: 'claim',
    from: "type === typeOf(webhooks.get(webhookId)) ? 'true'",
    to: "type !== '' ? 'true'",
  },
  {
    name: 'a response of the old URL disables the webhook with a new one',
    killedBy:
      'test/server/delivery/failures.test.ts > a late response from an old URL does not disable a webhook whose URL has changed',
    declaration: 'verdictFor',
    from: 'url === called.url && verb_id === called.verb_id',
    to: 'url !== "" || verb_id === called.verb_id',
  },
  {
    name: 'claimed deliveries are sent without checking the webhook again',
    killedBy:
      'test/server/delivery/withdrawn-deliveries.test.ts > sends no delivery as it was claimed after the webhook was deleted',
    declaration: 'createClaimCheck',
    from: 'resolve(!isLate && webhook !== undefined && isUnchanged(webhook, claimed.webhook));',
    to: 'resolve(!isLate || webhook !== undefined);',
  },
  {
    name: 'an erasure does not wait for requests in flight',
    killedBy:
      'test/server/privacy/erase-in-flight.test.ts > an erasure waits for the request in flight, and a failed attempt restores nothing',
    declaration: 'finishErasure',
    from: 'if (leases.length === 0) break;',
    to: 'if (leases.length >= 0) break;',
  },
  {
    name: 'the cleanup deletes deliveries that will be sent again',
    killedBy:
      'test/server/delivery/failures.test.ts > purges old deliveries, except pending and exhausted ones',
    declaration: 'purgeDeliveries',
    from: "    .where('state', 'in', ['delivered', 'ended'])\n",
    to: '',
  },
  {
    name: 'a worker polls without pause while nothing can be claimed',
    killedBy:
      'test/server/delivery/failures.test.ts > the worker seldom writes to the database while it can claim nothing, for any number of webhooks',
    declaration: 'visitWebhooks',
    from: 'return { visited: [...behind, ...before], isRound: true };',
    to: 'return { visited: [...behind, ...before], isRound: behind.length + before.length < maxVisitedWebhooks };',
  },
];
