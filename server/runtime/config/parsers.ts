import { isNetwork, parseNetwork } from '../../security/egress/policy.ts';
import { type EncryptionKeys, parseKeys } from '../../security/secrets/encryption-keys.ts';
import { parseFileUrl } from './database-url.ts';

/*
 * Parsers of environment variables. They return undefined for values that are not accepted.
 */

export const integerParser = (low: number, high: number) => ({
  read: (text: string) => (/^\d{1,9}$/.test(text) && +text >= low && +text <= high ? +text : undefined),
  expected: `an integer from ${low} to ${high}`,
});

const booleans: Record<string, boolean> = { yes: true, true: true, no: false, false: false };

export const booleanParser = {
  read: (text: string): boolean | undefined => (Object.hasOwn(booleans, text) ? booleans[text] : undefined),
  expected: 'yes or no',
};

/** A number of days, or null for "keep forever". */
export const retentionDaysParser = {
  read: (text: string) => (text === '' ? null : integerParser(1, 36_500).read(text)),
  expected: integerParser(1, 36_500).expected,
};

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

const networkListParser = (isValid: (network: string) => boolean, example: string) => ({
  read(text: string): string[] | undefined {
    const networks = splitList(text);
    return networks.every(isValid) ? networks : undefined;
  },
  expected: `networks such as ${example}, separated by commas`,
});

/** Networks in CIDR notation. */
export const networksParser = networkListParser(
  (network) => parseNetwork(network) !== undefined,
  '10.1.0.0/16 or fd12::/16',
);

/** Networks that webhooks may call. */
export const webhookNetworksParser = networkListParser(
  isNetwork,
  '10.1.0.0/16, or http:10.1.0.0/16 to allow http too',
);

export function parseProxy(text: string): URL | null | undefined {
  if (text === '') return null;
  const proxy = URL.parse(text);
  return proxy?.protocol === 'http:' && proxy.pathname === '/' && proxy.search + proxy.hash === ''
    ? proxy
    : undefined;
}

export function parseOrigins(text: string): string[] | undefined {
  const origins = splitList(text);
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
    ? origins
    : undefined;
}

/** Parses encryption keys, or the URL of a file with them. Returns null for an empty text. */
export function parseSecretKey(text: string): EncryptionKeys | { file: string } | null | undefined {
  if (text === '') return null;
  if (!text.startsWith('file:')) return parseKeys(text);
  const file = parseFileUrl(text);
  return file === undefined ? undefined : { file };
}
