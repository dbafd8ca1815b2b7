/**
 * `contains` and `unevaluatedItems` for Ajv. By itself, Ajv accepts an empty list after a list with a match (ajv#502), and
 * takes all items for evaluated if a schema has `contains` (JSON Schema Core, section 10.3.1.3).
 */
import { _, type KeywordCxt, Name } from 'ajv';

type Emit = (context: KeywordCxt) => void;

/** Ends the code of `prefixItems`, because Ajv skips other keywords for a list that is shorter. */
export const prefixItems =
  (code: Emit): Emit =>
  (context) => {
    context.gen.block(() => code(context));
  };

/** Collects the indexes of matches with the names of evaluated properties: a list has no properties. */
export function contains(context: KeywordCxt): void {
  const { gen, data, parentSchema, it } = context;
  const { minContains: min = 1, maxContains: max } = parentSchema;
  const { props } = it;
  const count = gen.let('count', 0);
  const valid = gen.name('valid');
  const enough = max === undefined ? _`${count} >= ${min}` : _`${count} >= ${min} && ${count} <= ${max}`;
  context.setParams({ min, max });
  gen.forRange('i', 0, _`${data}.length`, (index) => {
    context.subschema({ keyword: 'contains', dataProp: index, dataPropType: 0, compositeRule: true }, valid);
    gen.if(valid, () => {
      gen.code(_`${count}++`);
      if (props instanceof Name) gen.assign(_`${props}[${index}]`, true);
      else if (max === undefined) gen.if(enough, () => gen.break());
    });
  });
  context.result(enough, () => context.reset());
}

/** Emits a keyword that evaluates all properties so that matches of `contains` stay known: they are those of lists. */
export const keepingMatches =
  (code: Emit): Emit =>
  (context) => {
    const { gen, it } = context;
    const { props } = it;
    code(context);
    if (!(props instanceof Name)) return;
    gen.assign(props, true);
    it.props = props;
  };

/** Applies to the items that nothing else has evaluated. The number of those at the start may be known at run time only. */
export function unevaluatedItems(context: KeywordCxt): void {
  const { gen, data, schema, it } = context;
  const { items = 0, props } = it;
  if (items === true) return;
  const len = items instanceof Name ? gen.const('start', _`${items} === true ? Infinity : ${items}`) : items;
  const valid = gen.var('valid', true);
  context.setParams({ len });
  gen.forRange('i', len, _`${data}.length`, (index) =>
    gen.if(props instanceof Name ? _`!${props}?.[${index}]` : true, () => {
      if (schema === false) gen.assign(valid, false);
      else context.subschema({ keyword: 'unevaluatedItems', dataProp: index, dataPropType: 0 }, valid);
      gen.if(_`!${valid}`, () => gen.break());
    }),
  );
  if (schema === false) context.pass(valid);
  else context.ok(valid);
  it.items = true;
}
