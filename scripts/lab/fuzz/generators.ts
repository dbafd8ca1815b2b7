import type { FuzzGenerator } from './generator.ts';
import { bodyGenerator, largeBodyGenerator } from './generators/bodies.ts';
import { byteMutationGenerator, framingGenerator } from './generators/framing.ts';
import { headerGenerator, mediaTypeGenerator } from './generators/headers.ts';
import { parameterGenerator } from './generators/parameters.ts';
import { pathGenerator } from './generators/paths.ts';
import { textGenerator } from './generators/texts.ts';

/** All generators except the corpus, with their shares of the requests. */
export const fuzzGenerators: readonly { kind: FuzzGenerator; part: number }[] = [
  { kind: pathGenerator, part: 0.15 },
  { kind: parameterGenerator, part: 0.15 },
  { kind: bodyGenerator, part: 0.2 },
  { kind: largeBodyGenerator, part: 0.01 },
  { kind: textGenerator, part: 0.1 },
  { kind: mediaTypeGenerator, part: 0.1 },
  { kind: headerGenerator, part: 0.1 },
  { kind: framingGenerator, part: 0.09 },
  { kind: byteMutationGenerator, part: 0.1 },
];
