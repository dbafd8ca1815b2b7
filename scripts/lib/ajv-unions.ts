/**
 * `anyOf` and `oneOf` of many branches for Ajv. By itself, Ajv nests the code of each branch in that of the one before it, and
 * reads all that is nested for each level: the time and the indented code are quadratic.
 */
import { _, type KeywordCxt, Name } from 'ajv';

type Emit = (context: KeywordCxt) => void;

/** Unions of at most this many branches get the code of Ajv. */
const maxNested = 50;

const forMany =
  (many: Emit) =>
  (code: Emit): Emit =>
  (context) =>
    (context.schema.length > maxNested ? many : code)(context);

/** Validates branches until one is valid. If evaluated properties are collected, Ajv validates all, and nests none. */
export const anyOfMany = (code: Emit): Emit =>
  forMany((context) => {
    const { gen, keyword, schema, it } = context;
    if (it.opts.unevaluated && (it.props !== true || it.items !== true)) return code(context);
    const valid = gen.let('valid', false);
    const branchValid = gen.name('_valid');
    for (const at of schema.keys())
      gen.if(_`!${valid}`, () => {
        context.subschema({ keyword, schemaProp: at, compositeRule: true }, branchValid);
        gen.assign(valid, branchValid);
      });
    finish(context, valid);
  })(code);

/** Validates branches until two are valid. */
export const oneOfMany: (code: Emit) => Emit = forMany((context) => {
  const { gen, keyword, schema } = context;
  const valid = gen.let('valid', false);
  const passing = gen.let('passing', null);
  const branchValid = gen.name('_valid');
  context.setParams({ passing });
  // The indexes of two branches are a list.
  for (const at of schema.keys())
    gen.if(_`typeof ${passing} != 'object' || ${passing} === null`, () => {
      const branch = context.subschema({ keyword, schemaProp: at, compositeRule: true }, branchValid);
      gen.if(branchValid, () => {
        gen.assign(passing, _`${valid} ? [${passing}, ${at}] : ${at}`);
        gen.assign(valid, _`!${valid}`);
        context.mergeEvaluated(branch, Name);
      });
    });
  finish(context, valid);
});

const finish = (context: KeywordCxt, valid: Name): void =>
  context.result(
    valid,
    () => context.reset(),
    () => context.error(true),
  );
