import { createPrng as numbersFrom } from '../../../../scripts/lib/prng.ts';
import type { EntityType } from '../../own-contract/valid-requests.ts';
import type { EngineTarget } from './targets.ts';

/** Creates a function that returns numbers from 0 to 1, always in the same sequence for the same seed. */
export const createRandom = (seed: number): (() => number) => numbersFrom(seed).next;

const words = [
  'Ada',
  'Lindqvist',
  'Weiß',
  'Łukasz',
  'o’Brien',
  '50%',
  'a_b',
  'c\\d',
  '\u{1F44D}ok',
  '한국',
  '',
];
const queries = [
  'ada',
  'lin',
  'li',
  'l',
  'weiss',
  '50%',
  '_',
  '\\',
  'ok',
  '국',
  '한',
  'lukasz o',
  '+46 70',
  '%',
  'x y z',
];
const values = [
  'A-1',
  'A-2',
  'a-2',
  ' A-2',
  '12',
  '012',
  '1.50 EUR',
  '1.5 EUR',
  '2024-02-29',
  '2023-02-29',
  'x@y.example',
];
// `short_text` and `text` are more frequent, because they accept any value and the other types accept few.
const types = [
  'short_text',
  'text',
  'short_text',
  'text',
  'short_text',
  'text',
  'short_text',
  'text',
  'short_text',
  'numbers',
  'phone',
  'email',
  'currency',
  'date',
] as const;
/** Random choices, always the same for a seed. */
export type RandomInput = ReturnType<typeof createRandomInput>;

export function createRandomInput(seed: number) {
  const random = createRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const chance = (share: number) => random() < share;
  const oneOf = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)];
    if (item === undefined) throw new Error('The list is empty.');
    return item;
  };
  /**
   * Chooses an object of a kind, or rarely an ID that does not exist for the company. The choice is the same for both
   * services, because both create the same objects in the same order.
   */
  const which = (kind: EntityType) => {
    const index = random();
    const strange = random();
    return (side: EngineTarget): number => {
      const ids = side.ids[kind];
      if (strange < 0.04) return 999_999_999;
      if (strange < 0.07) return side.foreign[kind] ?? 999_999_998;
      return ids[Math.floor(Math.sqrt(index) * ids.length)] ?? 999_999_997;
    };
  };
  const text = () => [oneOf(words), oneOf(words)].join(' ').trim() || null;
  const contactBody = () => {
    const fields = Array.from({ length: below(3) }, () => ({
      of: which('field'),
      value: chance(0.1) ? null : chance(0.8) ? oneOf(values.slice(0, 4)) : oneOf(values),
    }));
    const plain = {
      first_name: chance(0.02) ? 7 : text(),
      last_name: text(),
      email_address: chance(0.2)
        ? null
        : chance(0.05)
          ? 'not one'
          : oneOf(['a@b.example', 'ada@lindqvist.example']),
      telephone_number: chance(0.5) ? null : chance(0.05) ? '0701234567' : '+46701234567',
      ...(chance(0.03) ? { unknown: true } : {}),
    };
    return (side: EngineTarget) => ({
      ...plain,
      fields: fields.map(({ of, value }) => ({ id: of(side), value })),
    });
  };
  const page = () => `page=${below(4)}&per_page=${oneOf([1, 3, 20, 100, 101])}`;
  const counted = () => (chance(0.3) ? { prefer: 'count=exact' } : {});
  const key = () => (chance(0.3) ? { 'idempotency-key': `key-${below(40)}` } : {});
  const name = () => oneOf(words) || 'A';
  const query = () => oneOf(queries);
  const fieldType = () => oneOf(types);
  return {
    random,
    below,
    chance,
    oneOf,
    which,
    text,
    contactBody,
    page,
    counted,
    key,
    name,
    query,
    fieldType,
  };
}
