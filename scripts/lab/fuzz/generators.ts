import type { FuzzGenerator } from './generator.ts';
import { largeBodyGenerator } from './generators/bodies.ts';
import { byteMutationGenerator, framingGenerator } from './generators/framing.ts';
import { headerGenerator } from './generators/headers.ts';
import { pathGenerator } from './generators/paths.ts';

/**
 * All generators except the corpus, with their shares of the requests. The conformance tests send random parameters, bodies
 * and media types.
 */
export const fuzzGenerators: readonly { kind: FuzzGenerator; part: number }[] = [
  { kind: pathGenerator, part: 0.3 },
  { kind: largeBodyGenerator, part: 0.01 },
  { kind: headerGenerator, part: 0.25 },
  { kind: framingGenerator, part: 0.19 },
  { kind: byteMutationGenerator, part: 0.25 },
];
