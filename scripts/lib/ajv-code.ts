import { _, type Code, type CodeGen, type KeywordCxt, Name } from 'ajv';
import { ajvRuntime } from '../../server/lib/ajv-runtime.ts';

/** Parts of the code that Ajv generates for keywords. */

/** The name under which emitted source code imports `ajv-runtime.ts`. A bundler must resolve it. */
export const runtimeModule = '#ajv-runtime';

/** Returns the name that a function has in the generated code. */
export const runtimeFunction = (gen: CodeGen, name: keyof typeof ajvRuntime): Name =>
  gen.scopeValue('func', {
    ref: ajvRuntime[name],
    code: _`require(${runtimeModule}).ajvRuntime.${new Name(name)}`,
  });

export const isOwn = (data: Name, name: string): Code => _`Object.hasOwn(${data}, ${name})`;

export const allOf = (first: Code, ...others: Code[]): Code =>
  others.reduce((one, other) => _`${one} && (${other})`, _`(${first})`);

export const anyOf = (first: Code, ...others: Code[]): Code =>
  others.reduce((one, other) => _`${one} || (${other})`, _`(${first})`);

/** Makes Ajv collect the names of evaluated properties in a variable, not when it generates the code. */
export function collectPropertyNames(context: KeywordCxt): void {
  const { items: _items, ...it } = context.it;
  context.mergeEvaluated({ ...it, props: {} }, Name);
}

/**
 * Counts the work of compiled validators, for `withWorkLimit`. Only a recursive schema can take more than linear time, so it
 * suffices to count what a schema calls or repeats: references to other schemas, and keywords that read a whole value.
 */

type Emit = (context: KeywordCxt, ruleType?: string) => void;

/** Texts and lists up to this length are not counted: their work is constant. */
const shortLength = 64;

const ofLength = ({ data }: KeywordCxt, count: Code): Code =>
  _`if (${data}.length > ${shortLength}) ${count}`;
const always = (_context: KeywordCxt, count: Code): Code => count;

/** Keywords that read a whole text, or each item or property of a value. */
const loops: Readonly<Record<string, typeof ofLength>> = {
  ...Object.fromEntries(
    [
      ...['pattern', 'format', 'maxLength', 'minLength'],
      ...['items', 'additionalItems', 'unevaluatedItems', 'contains'],
    ].map((keyword) => [keyword, ofLength]),
  ),
  ...Object.fromEntries(
    [
      ...['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties'],
      ...['minProperties', 'maxProperties'],
    ].map((keyword) => [keyword, always]),
  ),
};

/** Returns the code of a keyword that also counts its work. */
export function countingWork(keyword: string, emit: Emit): Emit {
  const when = loops[keyword];
  if (when)
    return (context, ruleType) => {
      const { gen, data } = context;
      // The type of `format` may be a number.
      if (keyword !== 'format' || ruleType === 'string')
        gen.code(when(context, _`${runtimeFunction(gen, 'spendOn')}(${data})`));
      emit(context, ruleType);
    };
  return keyword === '$ref' || keyword === '$dynamicRef'
    ? (context) => {
        context.gen.code(_`${runtimeFunction(context.gen, 'spend')}(1)`);
        emit(context);
      }
    : emit;
}

/** Keywords of which only the work is counted. */
export const countedKeywords = [...Object.keys(loops), '$dynamicRef'];
