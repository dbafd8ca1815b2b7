import { isSafePattern } from 'redos-detector';
import { escapePointer } from '../../../server/lib/json-text.ts';
import type { Note } from '../load/diagnosis.ts';
import { mapsOfNames, visitObjects } from '../load/visit-objects.ts';

/**
 * Limits of the analysis of one pattern: backtracks that a text may cause, and steps of the search for such a text. A
 * pattern that reaches the second limit counts as explosive. With 1,000 steps, it takes lists of
 * quoted texts for explosive.
 */
const analysisLimits = { maxScore: 50, maxSteps: 5_000 };

/** Finds patterns that can take polynomial or exponential time for a text. */
export function explosivePatterns(document: object): Note[] {
  const verdicts = new Map<string, boolean>();
  const isExplosive = (pattern: string): boolean => {
    const known = verdicts.get(pattern) ?? !isSafe(pattern);
    verdicts.set(pattern, known);
    return known;
  };
  const found = new Map<string, string>();
  visitObjects(document, (node, key, pointer) => {
    const names = key === 'patternProperties' ? Object.keys(node) : mapsOfNames.test(key) ? [] : ['pattern'];
    for (const name of names) {
      const pattern = key === 'patternProperties' ? name : node.pattern;
      if (typeof pattern === 'string' && !found.has(pattern) && isExplosive(pattern))
        found.set(pattern, `${pointer}/${escapePointer(name)}`);
    }
  });
  return [...found].map(([pattern, at]) => ({
    pointer: at,
    sentence: `The pattern ${pattern} at ${at} can block the process: a text can match its parts in many ways, and all are tried. Rewrite it so that each text matches in one way, and set maxLength.`,
  }));
}

function isSafe(pattern: string): boolean {
  try {
    return isSafePattern(pattern, { unicode: true, ...analysisLimits }).safe;
  } catch {
    // The analysis does not know a part of the pattern, such as a new property of Unicode.
    return false;
  }
}
