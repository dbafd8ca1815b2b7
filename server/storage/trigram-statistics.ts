import type { Database } from './store.ts';

/*
 * A word has many trigrams, most of which occur in most texts. Intersecting all of them costs more than reading the
 * contacts that contain the rarest few. A sample of the texts shows which trigrams are rare.
 */

export interface TrigramSample {
  /** Number of contacts of all companies. */
  rows: number;
  /** Number of sampled texts. */
  size: number;
  /** Number of sampled texts with each trigram. */
  counts: ReadonlyMap<string, number>;
  /** Number of sampled texts of each company. */
  companies: ReadonlyMap<number, number>;
}

/** Sampled texts, and the number of contacts. */
export interface SampledTexts {
  rows: number;
  texts: readonly { company: number; text: string }[];
}

/** Number of sampled texts, and maximum number of characters that are sampled from each. */
export const sampleSize = 256;
export const sampledLength = 2_000;

// With fewer contacts, every search is fast without a sample.
const minContacts = 5_000;
const minSampledTexts = 64;

// Frequencies change slowly, so a sample is used for 10 minutes.
const maxAgeMs = 600_000;

const samples = new WeakMap<Database, { at: number; sample: Promise<TrigramSample | undefined> }>();

/**
 * Returns a sample that is at most 10 minutes old; undefined if there are too few texts, or sampling failed.
 * @param take reads texts spread over the whole table, and counts the contacts
 */
export function cachedSample(
  db: Database,
  take: (db: Database) => Promise<SampledTexts>,
): Promise<TrigramSample | undefined> {
  const known = samples.get(db);
  if (known && performance.now() < known.at + maxAgeMs) return known.sample;
  const sample = take(db).then(createSample, () => {
    // The next search samples again.
    samples.delete(db);
    return undefined;
  });
  samples.set(db, { at: performance.now(), sample });
  return sample;
}

export function createSample({ rows, texts }: SampledTexts): TrigramSample | undefined {
  if (rows < minContacts || texts.length < minSampledTexts) return undefined;
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

// Estimates a relative frequency. It is never 0, because a trigram that is not in the sample may still occur.
const shareOf = <Key>(counts: ReadonlyMap<Key, number>, key: Key, size: number): number =>
  ((counts.get(key) ?? 0) + 0.5) / (size + 1);

/** Estimates the number of contacts of a company. */
export const estimateRows = ({ rows, size, companies }: TrigramSample, companyId: number): number =>
  rows * shareOf(companies, companyId, size);

/** Returns the trigrams of a text. */
export function trigramsIn(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(2).map((last, index) => `${characters[index]}${characters[index + 1]}${last}`);
}

/** The rarest trigrams of several parts that must all match. */
export interface RareTrigrams {
  trigrams: string[];
  /** Estimated number of contacts that contain the rarest trigram. */
  rows: number;
}

// A fifth trigram rules out hardly any contact that the first four have not ruled out.
const maxRare = 4;

// Trigrams that are more frequent than the rarest one by more than this factor cost more than they save.
const maxFrequencyRatio = 10;

/**
 * Returns the rarest trigrams of parts that must all match; undefined if there are none.
 * @param isInIndex whether the index contains a trigram
 */
export function rarestTrigrams(
  { rows, size, counts }: TrigramSample,
  parts: readonly string[],
  isInIndex: (trigram: string) => boolean = () => true,
): RareTrigrams | undefined {
  const known = [...new Set(parts.flatMap(trigramsIn))]
    .filter(isInIndex)
    .map((trigram) => ({ trigram, share: shareOf(counts, trigram, size) }))
    .sort((one, other) => one.share - other.share);
  const [rarest] = known;
  if (!rarest) return undefined;
  const rare = known.filter(({ share }) => share <= rarest.share * maxFrequencyRatio);
  // Overlapping trigrams rule out the same contacts, so every n-th of the rare trigrams is taken.
  const step = Math.max(1, Math.floor(rare.length / maxRare));
  const chosen = rare.filter((_one, index) => index % step === 0).slice(0, maxRare);
  return { trigrams: chosen.map(({ trigram }) => trigram), rows: rarest.share * rows };
}
