/** Parts of the code that Ajv generates for keywords. */
import { _, type Code, type CodeGen, type KeywordCxt, Name } from 'ajv';
import { ajvRuntime } from '../../server/lib/ajv-runtime.ts';

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
