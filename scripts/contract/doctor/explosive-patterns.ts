import { isSafePattern } from 'redos-detector';
import { escapePointer } from '../../../server/lib/json-text.ts';
import type { Note } from '../load/diagnosis.ts';
import { holdsData, mapsOfNames } from '../load/names-in-maps.ts';

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
  const visit = (node: unknown, pointer: string, key: string): void => {
    if (typeof node !== 'object' || node === null || holdsData.test(key)) return;
    for (const [name, inner] of Object.entries(node)) {
      const at = `${pointer}/${escapePointer(name)}`;
      const isName = mapsOfNames.test(key);
      const pattern = key === 'patternProperties' ? name : name === 'pattern' && !isName ? inner : undefined;
      if (typeof pattern === 'string' && !found.has(pattern) && isExplosive(pattern)) found.set(pattern, at);
      visit(inner, at, isName ? 'member' : name);
    }
  };
  visit(document, '', '');
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
