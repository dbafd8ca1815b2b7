import type { Database } from './store.ts';

/*
 * A word has many trigrams, and most of them stand in most texts: to walk through what has them all costs more than
 * to look at what has the rarest few. Which are rare, a sample of the texts tells.
 */

export interface TrigramSample {
  /** How many contacts there are, of all companies. */
  rows: number;
  /** How many texts are in the sample. */
  size: number;
  /** In how many of them a trigram stands. */
  counts: ReadonlyMap<string, number>;
  /** How many of them are a company's. */
  companies: ReadonlyMap<number, number>;
}

/** Texts from everywhere, and how many contacts there are. */
export interface SampledTexts {
  rows: number;
  texts: readonly { company: number; text: string }[];
}

/** So many texts are looked at, and so much of each. */
export const sampleSize = 256;
export const sampledLength = 2_000;

// Of fewer contacts everything is found soon enough.
const worthwhile = 5_000;
const enough = 64;

// What is common today is common in an hour.
const keptMs = 600_000;

const samples = new WeakMap<Database, { at: number; sample: Promise<TrigramSample | undefined> }>();

/**
 * What is known of the texts in a database; it is asked for anew now and then.
 * @param take takes texts from everywhere in it, and tells how many there are
 */
export function cachedSample(
  db: Database,
  take: (db: Database) => Promise<SampledTexts>,
): Promise<TrigramSample | undefined> {
  const known = samples.get(db);
  if (known && performance.now() < known.at + keptMs) return known.sample;
  const sample = take(db).then(createSample, () => {
    // The next search asks again.
    samples.delete(db);
    return undefined;
  });
  samples.set(db, { at: performance.now(), sample });
  return sample;
}

export function createSample({ rows, texts }: SampledTexts): TrigramSample | undefined {
  if (rows < worthwhile || texts.length < enough) return undefined;
  const counts = new Map<string, number>();
  const companies = new Map<number, number>();
  for (const { company, text } of texts) {
    countOne(companies, company);
    for (const trigram of new Set(trigramsIn(text))) countOne(counts, trigram);
  }
  return { rows, size: texts.length, counts, companies };
}

const countOne = <Key>(counts: Map<Key, number>, key: Key): unknown =>
  counts.set(key, (counts.get(key) ?? 0) + 1);

// What stands in none of the texts may still stand in some.
const shareOf = <Key>(counts: ReadonlyMap<Key, number>, key: Key, size: number): number =>
  ((counts.get(key) ?? 0) + 0.5) / (size + 1);

/** How many contacts a company has, about. */
export const estimateRows = ({ rows, size, companies }: TrigramSample, companyId: number): number =>
  rows * shareOf(companies, companyId, size);

/** Three characters each, as they stand. */
export function trigramsIn(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(2).map((last, index) => `${characters[index]}${characters[index + 1]}${last}`);
}

/** The rarest trigrams of some parts that all have to be found. */
export interface RareTrigrams {
  trigrams: string[];
  /** How many contacts have the rarest of them, about. */
  rows: number;
}

// A fifth one leaves hardly anything out that four have let in.
const maxRare = 4;

// What is so much more common than the rarest one costs more than it leaves out.
const notMuchMore = 10;

/** @param fits which trigrams an index knows */
export function rarestTrigrams(
  { rows, size, counts }: TrigramSample,
  parts: readonly string[],
  fits: (trigram: string) => boolean = () => true,
): RareTrigrams | undefined {
  const known = [...new Set(parts.flatMap(trigramsIn))]
    .filter(fits)
    .map((trigram) => ({ trigram, share: shareOf(counts, trigram, size) }))
    .sort((one, other) => one.share - other.share);
  const [rarest] = known;
  if (!rarest) return undefined;
  const rare = known.filter(({ share }) => share <= rarest.share * notMuchMore);
  // Those that overlap tell the same; of many they are taken from everywhere.
  const step = Math.max(1, Math.floor(rare.length / maxRare));
  const chosen = rare.filter((_one, index) => index % step === 0).slice(0, maxRare);
  return { trigrams: chosen.map(({ trigram }) => trigram), rows: rarest.share * rows };
}
