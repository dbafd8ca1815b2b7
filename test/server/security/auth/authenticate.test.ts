import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { mockToken } from '../../../../scripts/contract/mock/authenticate.ts';
import { createAuthLimits } from '../../../../server/security/auth/auth-limits.ts';
import { takeTokens } from '../../../../server/security/auth/rate-limiter.ts';
import { checksum, isTokenShaped, mintToken } from '../../../../server/security/auth/token-format.ts';
import { listTokens, revokeToken } from '../../../../server/storage/queries/tokens.ts';
import { createApiClient } from '../../../support/api-client.ts';
import { startService } from '../../../support/service.ts';

const dayMs = 86_400_000;

test('issued tokens have the token format and are unique', () => {
  const tokens = Array.from({ length: 2_000 }, mintToken);
  for (const token of tokens) {
    expect(token).toMatch(/^ply_live_[0-9A-Za-z]{36}$/);
    expect(isTokenShaped(token)).toBe(true);
  }
  expect(new Set(tokens).size).toBe(2_000);
});

test('the checksum of a token is the CRC-32 of the characters before it', () => {
  const token = mintToken();
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const sum = Array.from(token.slice(-6)).reduce((total, digit) => total * 62 + digits.indexOf(digit), 0);
  expect(sum).toBe(crc32(token.slice(0, -6)));
});

test('a token with one changed character is invalid', () => {
  fc.assert(
    fc.property(fc.nat(44), fc.constantFrom(...'0aZ_-'), (index, character) => {
      const token = mintToken();
      const changed = token.slice(0, index) + character + token.slice(index + 1);
      expect(isTokenShaped(changed)).toBe(changed === token);
    }),
  );
});

test('accepts the Bearer scheme in any case, and no other scheme', async () => {
  const { base, company } = await startService();
  const { token } = await company.token();
  const status = async (authorization: string) =>
    (await createApiClient(base).send('/api/v1/fields', { headers: { authorization } })).body.code ?? 200;
  expect(await status(`bearer ${token}`)).toBe(200);
  expect(await status(`BEARER  ${token}`)).toBe(200);
  for (const authorization of [
    token,
    `Basic ${token}`,
    'Bearer',
    'Bearer ',
    `Bearer ${token} x`,
    `Bearer "${token}"`,
  ])
    expect(await status(authorization), authorization).toBe(40101);
  expect(await status('Bearer nobody')).toBe(40102);
  expect(await status(`Bearer ${mintToken()}`)).toBe(40102);
});

test('rejects a token in an invalid format without a database lookup', async () => {
  const { base, store } = await startService();
  const read = vi.spyOn(store, 'read');
  for (const junk of ['nobody', `${mintToken()}x`, mintToken().replace('live', 'test')])
    expect(await createApiClient(base, junk).listCustomFields()).toBeApiError(401, 40102);
  expect(read).not.toHaveBeenCalled();
  expect(await createApiClient(base, mintToken()).listCustomFields()).toBeApiError(401, 40102);
  expect(read).toHaveBeenCalledTimes(1);
});

test('says that a token is one of the mock server, and how to create one', async () => {
  const { base } = await startService();
  const response = await createApiClient(base, mockToken).listCustomFields();
  expect(response).toBeApiError(401, 40102);
  expect(response.body.message).toMatch(/token of the mock server.*parley -- token create/);
});

test('a token is valid until it expires', async () => {
  let clock = Date.now();
  const { company } = await startService({ now: () => clock });
  const { api } = await company.token(['fields:read'], 1);
  clock += dayMs - 1;
  expect((await api.listCustomFields()).status).toBe(200);
  clock += 1;
  expect(await api.listCustomFields()).toBeApiError(401, 40103, 'header/Authorization');
});

test('the database contains neither the token nor a part of it', async () => {
  const { company, store } = await startService();
  const { token } = await company.token();
  const rows = await store.read((db) => listTokens(db, company.id));
  const stored =
    JSON.stringify(rows) + rows.map(({ digest }) => Buffer.from(digest).toString('latin1')).join();
  expect(stored).not.toContain(token.slice(9, 20));
});

test('records the last use of a token, rounded down to the minute', async () => {
  let clock = Date.parse('2026-03-01T10:00:30.000Z');
  const { company, store } = await startService({ now: () => clock });
  const { api, id } = await company.token();
  const lastUse = async () =>
    (await store.read((db) => listTokens(db, company.id))).find((token) => token.id === id)?.last_used_at;
  expect(await lastUse()).toBeNull();
  await api.listCustomFields();
  await expect.poll(lastUse).toBe(Date.parse('2026-03-01T10:00:00.000Z'));
  clock += 60_000;
  await api.listCustomFields();
  await expect.poll(lastUse).toBe(Date.parse('2026-03-01T10:01:00.000Z'));
});

test('limits a token after its burst, accepts it after Retry-After, and does not delay other tokens', async () => {
  let clock = Date.now();
  const { company } = await startService({
    now: () => clock,
    tokenLimit: { name: 'token', perMinute: 60, burst: 3 },
  });
  const { api } = await company.token();
  const first = await api.listCustomFields();
  expect(first.headers.get('ratelimit-policy')).toBe('"token";q=60;w=60');
  expect(first.headers.get('ratelimit')).toBe('"token";r=2;t=1');
  await api.listCustomFields();
  await api.listCustomFields();
  const refused = await api.listCustomFields();
  expect(refused).toBeApiError(429, 42901, '');
  expect([refused.headers.get('retry-after'), refused.headers.get('ratelimit')]).toEqual([
    '1',
    '"token";r=0;t=3',
  ]);
  expect((await company.api.listCustomFields()).status).toBe(200);
  clock += 1_000;
  expect((await api.listCustomFields()).status).toBe(200);
});

test('a token has its own limit, or that of its company, or that of the service', async () => {
  const startedAt = Date.now();
  const { company, parley } = await startService({
    now: () => startedAt,
    tokenLimit: { name: 'token', perMinute: 60, burst: 10 },
  });
  const { api, id } = await company.token();
  const ofToken = `token update --company ${company.id} --token ${id}`;
  const limit = async () => {
    const { headers } = await api.listCustomFields();
    return [headers.get('ratelimit-policy'), headers.get('ratelimit')?.replace(/;t=.*/, '')];
  };
  expect(await limit()).toEqual(['"token";q=60;w=60', '"token";r=9']);
  await company.run('company update --per-minute 600');
  // The burst is ten times as large. The bucket has the rest of the former one, and fills ten times as fast.
  expect(await limit()).toEqual(['"token";q=600;w=60', '"token";r=8']);
  await parley.json(`${ofToken} --per-minute 6000`);
  expect((await limit())[0]).toBe('"token";q=6000;w=60');
  await company.run('company update --default');
  expect((await limit())[0]).toBe('"token";q=6000;w=60');
  await parley.json(`${ofToken} --default`);
  expect((await limit())[0]).toBe('"token";q=60;w=60');
  expect(await parley(ofToken)).toFail(2, '--per-minute or --default');
  expect(await parley(`token update --company ${company.id} --token 999999 --default`)).toFail(1);
});

test('a request that costs more than a full bucket is allowed if the bucket is full', () => {
  const policy = { name: 'x', perMinute: 60, burst: 2 };
  const first = takeTokens(undefined, policy, 5, 0);
  expect(first.taken.allowed).toBe(true);
  expect(takeTokens(first.bucket, policy, 5, 4_000).taken).toMatchObject({ allowed: false, retryAfter: 1 });
  const later = takeTokens(first.bucket, policy, 5, 5_000);
  expect(later.taken.allowed).toBe(true);
  // A clock that is set back takes no tokens.
  expect(takeTokens(later.bucket, policy, 1, 0).bucket.level).toBe(later.bucket.level);
});

test('limits failed attempts from an address, but not valid tokens from it', async () => {
  const { base, api } = await startService({ failureLimit: { name: 'failures', perMinute: 60, burst: 2 } });
  const unauthenticated = createApiClient(base, 'nobody');
  expect(await unauthenticated.listCustomFields()).toBeApiError(401, 40102);
  expect(await unauthenticated.listCustomFields()).toBeApiError(401, 40102);
  const refused = await unauthenticated.listCustomFields();
  expect(refused).toBeApiError(429, 42901, '');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await api.listCustomFields()).status).toBe(200);
});

test('a token bucket never allows more than burst plus refill, and allows a request after Retry-After', () => {
  const policy = { name: 'x', perMinute: 120, burst: 5 };
  const steps = fc.array(fc.tuple(fc.nat(3_000), fc.integer({ min: 1, max: 5 })), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (requests) => {
      let bucket: Parameters<typeof takeTokens>[0];
      let now = 0;
      let passed = 0;
      for (const [pause, cost] of requests) {
        now += pause;
        const result = takeTokens(bucket, policy, cost, now);
        bucket = result.bucket;
        if (result.taken.allowed) passed += cost;
        else
          expect(takeTokens(bucket, policy, cost, now + 1_000 * result.taken.retryAfter).taken.allowed).toBe(
            true,
          );
        expect(passed).toBeLessThanOrEqual(policy.burst + (now * policy.perMinute) / 60_000 + 1e-6);
      }
    }),
  );
});

test('counts failed attempts by the network of the client that a trusted proxy names, or else of the peer', async () => {
  const failureLimit = { name: 'failures', perMinute: 60, burst: 1 };
  const statusesOf = async (
    addresses: readonly string[],
    trustedProxies = ['127.0.0.0/8', '::1/128', '10.0.0.0/8'],
  ) => {
    const { base } = await startService({ failureLimit, trustedProxies });
    const fail = (address: string) =>
      createApiClient(base, 'nobody').send('/api/v1/fields', { headers: { 'x-forwarded-for': address } });
    const statuses: number[] = [];
    for (const address of addresses) statuses.push((await fail(address)).status);
    return statuses;
  };
  const oneClient: string[][] = [
    ['192.0.2.1', '192.0.2.1:4711', '::ffff:192.0.2.1', '[::ffff:c000:201]:80', '192.0.2.1, 10.0.0.2:99'],
    ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '[2001:db8::1]:443', '2001:db8::1%eth0', '2001:0db8::0001'],
    // Clients of IPv6 have a network of 64 bits.
    ['2001:db8:0:2::1', '2001:db8:0:2:3:4:5:6'],
    // The client may have sent the first entries itself, so only the last one, which the proxy added, counts.
    ['192.0.2.2', '198.51.100.9, 192.0.2.2'],
    // If the entry is invalid, the attempt counts against the peer.
    ['unknown', '_hidden', 'x', '192.0.2.999', '127.0.0.1', ''],
  ];
  for (const [first = '', ...others] of oneClient)
    expect(await statusesOf([first, ...others]), first).toEqual([401, ...others.map(() => 429)]);
  const different = ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8:0:1::1', 'unknown'];
  expect(await statusesOf(different)).toEqual(different.map(() => 401));
  expect(await statusesOf(['192.0.2.1', '192.0.2.2'], [])).toEqual([401, 429]);
});

test('reveals that a token is expired or revoked only to a client that presents the whole token', async () => {
  let clock = Date.now();
  const { base, company, store } = await startService({ now: () => clock });
  const [expired, revoked] = [await company.token(undefined, 1), await company.token()];
  await store.write((db) => revokeToken(db, company.id, revoked.id, clock));
  clock += dayMs;
  const code = async (token: string) => (await createApiClient(base, token).listCustomFields()).body.code;
  expect([await code(expired.token), await code(revoked.token)]).toEqual([40103, 40104]);
  // A token with one wrong character is unknown, because only digests are compared.
  for (const { token } of [expired, revoked])
    for (let at = 9; at < token.length - 6; at += 5) {
      const body = token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1, -6);
      expect(await code(body + checksum(body))).toBe(40102);
    }
});

test.each([
  [1_200, 200, 60],
  [1, 1, 1],
  [0, 500, 500],
])('with %i requests per minute, allows %i at once, and %i failures', (ratePerMinute, requests, failures) => {
  const limits = createAuthLimits(ratePerMinute, () => 0);
  const allowed = (limiter: typeof limits.tokens) =>
    Array.from({ length: 500 }, () => limiter.take('a')).filter(({ allowed: isAllowed }) => isAllowed).length;
  expect([allowed(limits.tokens), allowed(limits.failures)]).toEqual([requests, failures]);
});
