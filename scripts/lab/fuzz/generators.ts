import type { Kind } from './generator.ts';
import { bodies, largeBodies } from './generators/bodies.ts';
import { framing, mutations } from './generators/framing.ts';
import { headers, mediaTypes } from './generators/headers.ts';
import { parameters } from './generators/parameters.ts';
import { paths } from './generators/paths.ts';
import { texts } from './generators/texts.ts';

/** Everything that is tried, each with its part of all attempts. */
export const kinds: readonly { kind: Kind; part: number }[] = [
  { kind: paths, part: 0.15 },
  { kind: parameters, part: 0.15 },
  { kind: bodies, part: 0.2 },
  { kind: largeBodies, part: 0.01 },
  { kind: texts, part: 0.1 },
  { kind: mediaTypes, part: 0.1 },
  { kind: headers, part: 0.1 },
  { kind: framing, part: 0.09 },
  { kind: mutations, part: 0.1 },
];
