import { createPrng as numbersFrom } from '../../../../scripts/lib/prng.ts';
import type { ResourceName } from '../../own-contract/valid-requests.ts';
import type { EngineTarget } from './targets.ts';

/** Texts that objects have and searches look for. Some are values of custom fields. */
const texts = [
  'Ada',
  'Lindqvist',
  'lin',
  'l',
  'Weiß',
  'weiss',
  'Łukasz',
  'lukasz o',
  'o’Brien',
  '50%',
  'a_b',
  'c\\d',
  '%',
  '_',
  '\\',
  '\u{1F44D}ok',
  '한국',
  '국',
  '+46 70',
  'A-1',
  'a-1',
  ' A-1',
  'A-2',
  '012',
  '1.50 EUR',
  '2024-02-29',
  'x@y.example',
];
// `short_text` and `text` are more frequent, because they accept any value and the other types accept few.
const types = [
  ...Array.from({ length: 5 }, () => ['short_text', 'text'] as const).flat(),
  'numbers',
  'phone',
  'email',
  'currency',
  'date',
] as const;

/** Random choices, always the same for a seed. */
export type RandomInput = ReturnType<typeof createRandomInput>;

export function createRandomInput(seed: number) {
  const random = numbersFrom(seed).next;
  const below = (most: number) => Math.floor(random() * most);
  const chance = (share: number) => random() < share;
  const oneOf = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)];
    if (item === undefined) throw new Error('The list is empty.');
    return item;
  };
  /**
   * Chooses an object of a resource, or rarely an ID that does not exist for the company. The choice is the same for both
   * services, because both create the same objects in the same order.
   */
  const which = (name: ResourceName) => {
    const index = random();
    const strange = random();
    return (side: EngineTarget): number => {
      const ids = side.ids[name];
      if (strange < 0.04) return 999_999_999;
      if (strange < 0.07) return side.foreign[name];
      return ids[Math.floor(Math.sqrt(index) * ids.length)] ?? 999_999_997;
    };
  };
  // Some texts are frequent, so that unique values are taken.
  const word = () => oneOf(chance(0.5) ? texts.slice(0, 3) : texts);
  const text = () => (chance(0.2) ? `${word()} ${word()}` : word());
  return { below, chance, oneOf, which, text, fieldType: () => oneOf(types) };
}
