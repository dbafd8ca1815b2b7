import type fc from 'fast-check';
import { brokenOf, type Inseparable } from '../instances/broken.ts';
import { surveyOf, type Unsupported } from '../instances/keywords.ts';
import { type Limits, limitsOf } from '../instances/limits.ts';
import type { World } from '../instances/world.ts';
import { type Attempt, fieldOf } from './attempt.ts';
import type { Operation } from './operations.ts';
import { isWritable, type Part, partsOf } from './parts.ts';
import { plainest, soundRequests } from './sound.ts';
import type { Request } from './wire.ts';
import { brokenPart, type WrongRequests, wrongWholes } from './wrong.ts';

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
}

/**
 * @param world of the document as it speaks of requests
 * @throws CannotMake where no sound request can be made
 */
export function requestsTo(world: World, operation: Operation): RequestSpace {
  const sound = soundRequests(world, operation);
  const gaps: Gaps = { unsupported: [], inseparable: [], unreached: [] };
  const broken: RequestSpace['broken'] = [];
  const limits: Attempt[] = [];
  const keywords = new Map<string, number>();
  const base = plainest(operation, sound);
  for (const { mediaType } of operation.body?.types ?? [])
    if (!isWritable(mediaType)) gaps.unsupported.push({ part: 'body', keyword: mediaType, at: '/' });
  for (const part of partsOf(world, operation)) {
    const survey = surveyOf(part.schema, world.resolve);
    for (const [word, count] of survey.used) keywords.set(word, (keywords.get(word) ?? 0) + count);
    gaps.unsupported.push(...survey.unsupported.map((each) => ({ ...each, part: part.name })));
    const space = brokenOf(world, part.schema);
    gaps.inseparable.push(...space.inseparable.map((each) => ({ ...each, part: part.name })));
    broken.push(...brokenPart(part, space, sound));
    const atLimits = limitsOf(world, part.schema);
    gaps.unreached.push(...atLimits.unreached.map((each) => ({ ...each, part: part.name })));
    if (base) limits.push(...limitAttempts(part, atLimits, base));
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
