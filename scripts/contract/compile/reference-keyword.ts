import { _, type KeywordCxt, Name } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { countingWork } from '../../lib/ajv-code.ts';
import { forAllowedSizes, withInheritedSizes } from '../../lib/ajv-size-guard.ts';

type Validate = NonNullable<ReturnType<Ajv2020['getSchema']>>;

/**
 * Replaces the code of `$ref`: it calls the function of the other schema with the value alone. By itself, Ajv passes the
 * location of the value as well, which takes half of the time of a validation and is not used.
 * @param isCut whether the function of a schema is found when it is called, not when the code is generated
 * @returns a function that compiles a schema
 */
export function useDirectReferences(
  compiler: Ajv2020,
  isCut: (name: string) => boolean,
): (name: string) => Validate | undefined {
  const rule = compiler.RULES.all.$ref;
  if (typeof rule !== 'object') throw new Error('This version of Ajv has no $ref.');
  const compiling = new Set<string>();
  const compiled = (name: string): Validate | undefined => {
    compiling.add(name);
    try {
      return compiler.getSchema(name);
    } finally {
      compiling.delete(name);
    }
  };
  const emit = (context: KeywordCxt) => {
    const { schema: name } = context;
    // Inside a cycle, the function is not complete yet.
    const validate = isCut(name) || compiling.has(name) ? undefined : compiled(name);
    if (validate) callNow(context, validate);
    else callLater(context, name, () => compiled(name));
  };
  rule.definition = {
    ...rule.definition,
    code: countingWork('$ref', withInheritedSizes(forAllowedSizes(emit))),
  };
  return compiled;
}

function callNow(context: KeywordCxt, validate: Validate): void {
  const { gen, data, it } = context;
  const target = gen.scopeValue('validate', { ref: validate });
  context.pass(_`${target}(${data})`);
  const { evaluated } = validate;
  if (!it.opts.unevaluated || !evaluated) return;
  const { props, items, dynamicProps, dynamicItems } = evaluated;
  const { props: _props, items: _items, ...rest } = it;
  // The evaluated properties depend on the value only if the schema has alternatives.
  if (dynamicProps)
    context.mergeEvaluated({ ...rest, props: gen.var('props', _`${target}.evaluated.props`) }, Name);
  else if (props !== undefined) context.mergeEvaluated({ ...rest, props });
  if (dynamicItems)
    context.mergeEvaluated({ ...rest, items: gen.var('items', _`${target}.evaluated.items`) }, Name);
  else if (items !== undefined) context.mergeEvaluated({ ...rest, items });
}

function callLater(context: KeywordCxt, name: string, find: () => Validate | undefined): void {
  let found: Validate | undefined;
  const validate = () => {
    found ??= find();
    return found;
  };
  const { gen, data, it } = context;
  const target = gen.scopeValue('obj', {
    key: `later ${name}`,
    ref: { accepts: (value: unknown) => validate()?.(value), evaluated: () => validate()?.evaluated },
    code: _`{ accepts: (value) => ${new Name(name)}(value), evaluated: () => ${new Name(name)}.evaluated }`,
  });
  context.pass(_`${target}.accepts(${data})`);
  if (!it.opts.unevaluated) return;
  const props = gen.var('props', _`${target}.evaluated().props`);
  const items = gen.var('items', _`${target}.evaluated().items`);
  context.mergeEvaluated({ ...it, props, items }, Name);
}
