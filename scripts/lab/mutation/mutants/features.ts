import type { Mutant } from '../mutant.ts';

/** Bugs in handlers and rules. */
export const featureMutants: readonly Mutant[] = [
  {
    name: 'every token creates messages of any user',
    killedBy:
      'test/server/features/messages/messages.test.ts > creates messages as another user only for a token with the scope messages:impersonate',
    declaration: 'createMessage',
    from: 'user_id !== userId && !scopes.has(impersonate)',
    to: 'user_id !== userId && scopes.size === 0',
  },
  {
    name: 'a repeated Idempotency-Key returns the response of another user',
    killedBy:
      'test/server/features/contacts/idempotency.test.ts > rejects a key that another user of the company has used, even with the same body',
    declaration: 'digestOf',
    from: '[operation, body, owner]',
    to: "JSON.stringify([operation, body, owner === ''], inOrder)",
  },
  {
    name: 'a stored response shows a secret that was rotated',
    killedBy:
      'test/server/features/webhooks/webhooks.test.ts > after rotate-secret, does not replay the response with the secret, and creates no second webhook',
    declaration: 'storedResponse',
    from: `return message === undefined
    ? response`,
    to: "return message !== '' ? response",
  },
  {
    name: 'avatars with any URL scheme are shown',
    killedBy:
      'test/server/features/contacts/update-contact.test.ts > returns null for an avatar with a forbidden scheme that an earlier version stored',
    declaration: 'safeAvatar',
    from: 'avatar !== null && isAvatarUrl(avatar) ? avatar : null',
    to: "avatar !== null && isAvatarUrl('https://a') ? avatar : null",
  },
  {
    name: 'the ETag of a contact ignores its custom fields, so a renamed field does not change it',
    killedBy:
      'test/server/features/contacts/get-contact.test.ts > deleting or reordering a field changes the ETag of contacts with a value for the field',
    declaration: 'entityTag',
    from: "hash('sha256', json, 'base64url')",
    to: "hash('sha256', json.split('\"fields\"')[0] ?? '', 'base64url')",
  },
  {
    name: 'the offset of a timestamp is ignored',
    killedBy:
      'test/server/features/contacts/list-contacts.test.ts > a date range includes its start and excludes its end',
    declaration: 'parseTimestamp',
    from: 'Date.parse(dateTime.toUpperCase());',
    to: "Date.parse(dateTime.toUpperCase().replace(/[+-]\\d{2}:\\d{2}$/, 'Z'));",
  },
  {
    name: 'a message stays new after it was read',
    killedBy:
      'test/server/operator/conversations.test.ts > the API reflects each operator command on a conversation and its messages',
    declaration: 'markMessageRead',
    from: '{ read: 1, new: 0 }',
    to: '{ read: 1 }',
  },
  {
    name: 'a key accepts another body that differs only in empty, null or false values',
    killedBy:
      'test/server/features/contacts/idempotency.test.ts > a body with an additional null property counts as another body',
    declaration: 'sortProperties',
    from: 'Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))',
    to: 'Object.fromEntries(\n        Object.entries(value)\n          .filter(([, inner]) => Boolean(inner))\n          .sort(([one], [other]) => (one < other ? -1 : 1)),\n      )',
  },
  {
    name: 'a revoked token is accepted until it expires',
    killedBy: 'test/server/auth/authenticate.test.ts > a revoked token is rejected immediately',
    declaration: 'createAuthenticate',
    from: "if (token.revoked_at !== null) return fail('tokenRevoked');\n    if (token.expires_at <= now()) return fail('tokenExpired');",
    to: "if (token.expires_at <= now()) return fail(token.revoked_at === null ? 'tokenExpired' : 'tokenRevoked');",
  },
  {
    name: 'a token without messages:read can create a webhook for messages',
    killedBy:
      'test/server/features/webhooks/webhooks.test.ts > creating or changing a webhook for entity 5 also requires the scope messages:read',
    declaration: 'readScopes',
    from: "5: 'messages:read',",
    to: "5: 'conversations:read',",
  },
  {
    name: 'most of the private network 172.16.0.0/12 is allowed',
    killedBy: 'test/server/egress/policy.test.ts > private, class B, 172.16.0.0 to 172.31.255.255, is denied',
    declaration: 'blockedIpv4Ranges',
    from: "{ network: '172.16.0.0', prefix: 12,",
    to: "{ network: '172.16.0.0', prefix: 16,",
  },
  {
    name: 'a webhook with DELETE may have its own parameter payload',
    killedBy:
      'test/server/features/webhooks/webhooks.test.ts > rejects a URL with the query parameter that the service adds for verb_id 4',
    declaration: 'selectorViolations',
    from: "['GET', 'DELETE'].includes(httpMethodOf(verb_id))",
    to: "httpMethodOf(verb_id) === 'GET'",
  },
  {
    name: 'unique e-mail addresses are compared case-sensitively',
    killedBy:
      'test/server/features/contacts/create-contact.test.ts > compares unique e-mail addresses in lower case, and stores them as written',
    declaration: 'forms',
    from: '{ value, key: value.toLowerCase() }',
    to: 'same(value)',
  },
  {
    name: 'a company can have 101 custom fields',
    killedBy:
      'test/server/features/fields/list-custom-fields.test.ts > a company has at most a hundred fields',
    declaration: 'addField',
    from: 'present.length >= maxFields',
    to: 'present.length > maxFields',
  },
  {
    name: 'an update that only removes values does not remove them',
    killedBy:
      'test/server/features/contacts/update-contact.test.ts > values can be removed one by one, and swapped',
    declaration: 'hasValues',
    from: '  values.length === wanted.length &&\n  wanted.every(',
    to: '  values.length >= wanted.length &&\n  wanted.every(',
  },
  {
    name: 'a conversation has one message more than the limit, and is not marked as truncated',
    killedBy:
      'test/server/features/conversations/message-limits.test.ts > chooses the newest messages of each conversation within both limits, and lists truncated conversations',
    declaration: 'chooseMessages',
    from: 'index < most && next.payload_bytes',
    to: 'index <= most && next.payload_bytes',
  },
  {
    name: 'forwarding to an agent makes the event of forwarding to a team',
    killedBy:
      'test/server/events/events.test.ts > conversation.forwarded_to_agent is stored for its webhook as documented',
    declaration: 'forwardConversation',
    from: `{ user_id: to.agent },
        { type: 'conversation.forwarded_to_agent', now }`,
    to: "{ user_id: to.agent }, { type: 'conversation.forwarded_to_team', now }",
  },
];
