import fc from 'fast-check';

/** A spelling of an address that an attacker may use. */
export interface Spelling {
  host: string;
  /** The address to which a program would connect. */
  means: string;
}

const octets = (address: string): number[] => address.split('.').map(Number);
const numberOf = (address: string): number => octets(address).reduce((sum, part) => sum * 256 + part, 0);

/** Spellings of a part of an IPv4 address (WHATWG URL, 3.5): decimal, octal, hexadecimal, with leading zeros. */
const part = (number: number): fc.Arbitrary<string> =>
  fc.constantFrom(
    String(number),
    `0${number.toString(8)}`,
    `000${number.toString(8)}`,
    `0x${number.toString(16)}`,
    `0X${number.toString(16).toUpperCase()}`,
    `0x0000${number.toString(16)}`,
  );

function ipv4Hosts(address: string): fc.Arbitrary<string> {
  const [a = 0, b = 0, c = 0, d = 0] = octets(address);
  const written = (...numbers: number[]) => fc.tuple(...numbers.map(part)).map((parts) => parts.join('.'));
  return fc.oneof(
    written(a, b, c, d),
    written(a, b, c * 256 + d),
    written(a, (b * 256 + c) * 256 + d),
    written(numberOf(address)),
  );
}

const hex = (number: number, pad = 0): string => number.toString(16).padStart(pad, '0');

/** Returns the IPv6 addresses that embed an IPv4 address. */
function disguises(address: string): fc.Arbitrary<string> {
  const [a = 0, b = 0, c = 0, d = 0] = octets(address);
  const high = hex(a * 256 + b);
  const low = hex(c * 256 + d);
  const spelled = fc.constantFrom(
    `::ffff:${address}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `0000:0000:0000:0000:0000:FFFF:${address}`,
    `::${address}`,
    `::${high}:${low}`,
    `64:ff9b::${address}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${hex(a)}${hex(b, 2)}:${hex(c)}${hex(d, 2)}::`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::`,
    `::ffff:0:${address}`,
  );
  return spelled.map((text) => `[${text}]`);
}

/** Spells a host with characters that browsers and libraries map to ASCII dots and digits, or with a final dot. */
const disguisedLetters = (host: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    host,
    `${host}.`,
    host.replaceAll('.', '。'),
    host.replaceAll('.', '．'),
    host.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    host.replace(/[0-9]/g, (digit) =>
      digit === '0' ? '⓪' : String.fromCodePoint(0x2460 + Number(digit) - 1),
    ),
    host.replace(/[0-9]/g, (digit) => `%3${digit}`),
    host.replaceAll('.', '%2e'),
  );

const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'ＬＯＣＡＬＨＯＳＴ',
  'loc%61lhost',
  'ⓛocalhost',
];

/** Generates spellings of forbidden addresses. */
export function addressSpellings(addresses: readonly string[]): fc.Arbitrary<Spelling> {
  const address = fc.constantFrom(...addresses);
  const ofOne = address.chain((means) => {
    if (means.includes(':'))
      return fc.constantFrom(`[${means}]`, `[${means.toUpperCase()}]`).map((host) => ({ host, means }));
    const hosts = fc.oneof(ipv4Hosts(means).chain(disguisedLetters), disguises(means));
    return hosts.map((host) => ({ host, means }));
  });
  const byName = fc.constantFrom(...names).map((host) => ({ host, means: '127.0.0.1' }));
  return fc.oneof({ arbitrary: ofOne, weight: 20 }, { arbitrary: byName, weight: 1 });
}
