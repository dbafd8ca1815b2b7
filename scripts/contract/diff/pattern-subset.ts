import { CharSet, DFA, type Element, isDisjointWith, JS, NFA, type NoParent } from 'refa';
import type { SchemaObject } from '../../testing/schema-values/schema.ts';
import { typesOf } from './schema-side.ts';

/** Maximum number of states of an automaton, and of nodes of a pattern. Larger patterns are not compared. */
const maxNodes = 2_000;

/**
 * Whether every text that matches a pattern is proven to match another one. False means that there is no proof: patterns
 * with assertions inside or with backreferences, and large patterns, are not compared.
 * @param one a regular expression of JSON Schema: not anchored, with the flag `u`
 */
export function isPatternSubset(one: string, other: string): boolean {
  if (one === other || other === '') return true;
  try {
    const rest = DFA.fromFA(textsOf(other), new DFA.LimitedNodeFactory(maxNodes));
    rest.complement();
    return isDisjointWith(textsOf(one), rest);
  } catch {
    return false;
  }
}

/** Maximum length that is compared with a pattern. */
const maxLength = 200;

/** Returns a pattern for limits of the length of a text; undefined if they are too large to compare. */
export const lengthPattern = ({ minLength = 0, maxLength: most }: SchemaObject): string | undefined =>
  Math.max(minLength, most ?? 0) > maxLength ? undefined : `^[^]{${minLength},${most ?? ''}}$`;

/** Returns all texts that match a pattern; undefined if there are more than a number, or it is not regular. */
function finiteTextsOf(pattern: string, max: number): string[] | undefined {
  try {
    const texts = textsOf(pattern);
    if (!texts.isFinite) return undefined;
    const found: string[] = [];
    for (const characters of texts.words()) {
      if (found.length === max) return undefined;
      found.push(String.fromCodePoint(...characters));
    }
    return found;
  } catch {
    return undefined;
  }
}

/** Returns the automaton of all texts in which a pattern matches somewhere. @throws Error if it is not regular */
function textsOf(source: string): NFA {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags: 'u' }).parse({
    maxNodes,
    backreferences: 'throw',
  });
  const anything: NoParent<Element> = {
    type: 'Quantifier',
    min: 0,
    max: Number.POSITIVE_INFINITY,
    lazy: false,
    alternatives: [
      {
        type: 'Concatenation',
        elements: [{ type: 'CharacterClass', characters: CharSet.all(maxCharacter) }],
      },
    ],
  };
  const alternatives = expression.alternatives.map(({ elements }) => {
    const [isStart, isEnd] = [isEdge(elements[0], 'behind'), isEdge(elements.at(-1), 'ahead')];
    const inner = elements.slice(isStart ? 1 : 0, isEnd ? -1 : undefined);
    return [...(isStart ? [] : [anything]), ...inner, ...(isEnd ? [] : [anything])];
  });
  return NFA.fromRegex(
    {
      type: 'Expression',
      alternatives: alternatives.map((elements) => ({ type: 'Concatenation', elements })),
    },
    { maxCharacter },
    { assertions: 'throw' },
    new NFA.LimitedNodeFactory(maxNodes),
  );
}

/** Whether an element is `^` or `$`: no character stands before or after it. */
function isEdge(element: NoParent<Element> | undefined, kind: 'behind' | 'ahead'): boolean {
  if (element?.type !== 'Assertion' || element.kind !== kind || !element.negate) return false;
  const [only, ...more] = element.alternatives.flatMap(({ elements }) => elements);
  return more.length === 0 && only?.type === 'CharacterClass' && only.characters.isAll;
}

/** Maximum number of values that are compared one by one. */
const maxValues = 100;

/** Returns values that include all that a schema allows; undefined if they are too many. */
export function finiteValuesOf(schema: SchemaObject): unknown[] | undefined {
  const { enum: values, minimum = Number.NaN, maximum, pattern } = schema;
  if (values) return values;
  const lists = typesOf(schema).map((each): unknown[] | undefined => {
    if (each === 'null') return [null];
    if (each === 'boolean') return [false, true];
    if (each === 'string') return pattern === undefined ? undefined : finiteTextsOf(pattern, maxValues);
    const count = each === 'integer' && maximum !== undefined ? maximum - minimum + 1 : Number.NaN;
    return count <= maxValues
      ? Array.from({ length: Math.max(0, count) }, (_, index) => minimum + index)
      : undefined;
  });
  return lists.length > 0 && lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}
