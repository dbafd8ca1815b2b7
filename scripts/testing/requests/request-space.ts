import type fc from 'fast-check';
import { type Limits, limitsOf } from '../schema-values/boundary-values.ts';
import { brokenOf, type Inseparable } from '../schema-values/invalid-values.ts';
import { surveyOf, type Unsupported } from '../schema-values/keywords.ts';
import type { World } from '../schema-values/schema-context.ts';
import { brokenPart, type WrongRequests, wrongWholes } from './invalid-requests.ts';
import type { Operation } from './operations.ts';
import { isWritable, type Part, partsOf } from './parts.ts';
import type { Request } from './serialize.ts';
import { type Attempt, fieldOf } from './test-case.ts';
import { plainest, soundRequests } from './valid-requests.ts';

/** Everything that can be sent to an operation: what fits its contract, and what does not. */
export interface RequestSpace {
  operation: Operation;
  sound: fc.Arbitrary<Attempt>;
  /** One for each thing that can be wrong. */
  broken: WrongRequests[];
  /** One below, on and one above each limit. */
  limits: Attempt[];
  gaps: Gaps;
  /** How often each keyword of JSON Schema is used in what is sent. */
  keywords: Map<string, number>;
}

/** What could not be made, by name. */
export interface Gaps {
  unsupported: (Unsupported & { part: string })[];
  inseparable: (Inseparable & { part: string })[];
  unreached: { part: string; keyword: string; place: string; side: string }[];
  /** What is wrong by its schema, and cannot be put where it belongs. */
  unsendable: { part: string; keyword: string; place: string }[];
  /** Examples of the contract that do not fit their own schemas. */
  unsoundExamples: { part: string; name: string }[];
}

/**
 * @param world of the document as it speaks of requests
 * @throws CannotMake where no sound request can be made
 */
export function requestsTo(world: World, operation: Operation): RequestSpace {
  const sound = soundRequests(world, operation);
  const gaps: Gaps = {
    unsupported: [],
    inseparable: [],
    unreached: [],
    unsendable: [],
    unsoundExamples: [],
  };
  const broken: RequestSpace['broken'] = [];
  const limits: Attempt[] = [];
  const keywords = new Map<string, number>();
  const base = plainest(sound);
  for (const { mediaType } of operation.body?.types ?? [])
    if (!isWritable(mediaType)) gaps.unsupported.push({ part: 'body', keyword: mediaType, at: '/' });
  for (const part of partsOf(world, operation)) {
    const survey = surveyOf(part.schema, world.resolve);
    for (const [word, count] of survey.used) keywords.set(word, (keywords.get(word) ?? 0) + count);
    gaps.unsupported.push(...survey.unsupported.map((each) => ({ ...each, part: part.name })));
    const space = brokenOf(world, part.schema);
    gaps.inseparable.push(...space.inseparable.map((each) => ({ ...each, part: part.name })));
    const wrong = brokenPart(part, space, sound);
    broken.push(...wrong);
    const sendable = new Set(wrong.map((each) => `${each.wrong.keyword} ${each.wrong.field}`));
    for (const { keyword, place } of space.spaces)
      if (!sendable.has(`${keyword} ${fieldOf(part.name, place)}`))
        gaps.unsendable.push({ part: part.name, keyword, place });
    for (const { name, value } of part.examples)
      if (!world.isValid(part.schema, value)) gaps.unsoundExamples.push({ part: part.name, name });
    const atLimits = limitsOf(world, part.schema);
    gaps.unreached.push(...atLimits.unreached.map((each) => ({ ...each, part: part.name })));
    if (base) limits.push(...limitAttempts(part, atLimits, base));
    for (const { keyword, place, side, value, isValid } of atLimits.values)
      if (!part.canTravel(value) || (!isValid && part.isFine(value)))
        gaps.unreached.push({ part: part.name, keyword, place, side });
  }
  broken.push(...wrongWholes(operation, sound));
  return {
    operation,
    sound: sound.map((request) => ({ request, what: 'a sound request', wrong: undefined })),
    broken,
    limits,
    gaps,
    keywords,
  };
}

const limitAttempts = (part: Part, { values }: Limits, base: Request): Attempt[] =>
  values
    .filter(({ value, isValid }) => part.canTravel(value) && (isValid || !part.isFine(value)))
    .map(({ keyword, place, side, value, isValid, brokenAt = '' }) => {
      const field = fieldOf(part.name, place);
      return {
        request: part.put(base, value),
        what: `${keyword} of ${field}, ${side}`,
        wrong: isValid ? undefined : { kind: 'broken', keyword, field: fieldOf(part.name, brokenAt) },
      };
    });
