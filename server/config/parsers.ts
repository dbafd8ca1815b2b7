import { parseNetwork } from '../egress/policy.ts';

/*
 * What the values of settings mean; undefined where one means nothing.
 */

export const integerParser = (low: number, high: number) => ({
  read: (text: string) => (/^\d{1,9}$/.test(text) && +text >= low && +text <= high ? +text : undefined),
  expected: `a whole number from ${low} to ${high}`,
});

/** As many days, or none for ever. */
export const retentionDaysParser = {
  read: (text: string) => (text === '' ? null : integerParser(1, 36_500).read(text)),
  expected: 'a whole number from 1 to 36500',
};

const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export function parseNetworks(text: string): string[] | undefined {
  const networks = listIn(text);
  return networks.every((network) => parseNetwork(network) !== undefined) ? networks : undefined;
}

export function parseProxy(text: string): URL | null | undefined {
  if (text === '') return null;
  const proxy = URL.parse(text);
  return proxy?.protocol === 'http:' && proxy.pathname === '/' && proxy.search + proxy.hash === ''
    ? proxy
    : undefined;
}

export function parseOrigins(text: string): string[] | undefined {
  const origins = listIn(text);
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
    ? origins
    : undefined;
}
