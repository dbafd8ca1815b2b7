import { bodyFormatOf, documentedType } from '../../../../server/contract/media-type.ts';
import { errorMessage } from '../../../../server/lib/error-message.ts';
import type {
  ParameterPlan,
  ParametersPlan,
} from '../../../../server/validation/parameters/parameter-plan.ts';
import type { ArrayShape, ObjectShape, Shape } from '../../../../server/validation/parameters/shape.ts';
import { planForm } from '../../compile/plan-form.ts';
import { planParameters, shapesIn } from '../../compile/plan-parameters.ts';
import type { Contract } from '../../model/contract.ts';
import type { Content, Operation } from '../../model/operation.ts';
import type { BodyRule, ParameterRule } from './serialize-parameters.ts';
import type { RulesOfOperation } from './with-serializers.ts';

/**
 * Returns the parameters that openapi-fetch 0.17 would send in another way than the contract describes, by method and path
 * of their operation. If OpenAPI does not define how one is sent, the reason is there instead.
 */
export const parameterRules = (contract: Contract): [operation: string, rules: RulesOfOperation][] =>
  contract.operations.flatMap((operation): [string, RulesOfOperation][] => {
    const rules = rulesOf(contract, operation);
    return rules.length > 0 ? [[`${operation.method.toUpperCase()} ${operation.path}`, rules]] : [];
  });

function rulesOf({ resolve }: Contract, { parameters }: Operation): RulesOfOperation {
  let plan: ParametersPlan;
  try {
    plan = planParameters(parameters, resolve);
  } catch (error) {
    return errorMessage(error);
  }
  const { query, path, headers, cookies } = plan;
  return [...query.parameters, ...path, ...headers, ...cookies].filter(needsRule).map(ruleOf);
}

/** Returns how a client sends a parameter. */
export const ruleOf = ({ name, in: location, style, explode, content }: ParameterPlan): ParameterRule => ({
  ...{ name, in: location, explode },
  style: content === 'json' ? 'json' : style,
});

// `allowReserved` needs no rule: openapi-fetch encodes reserved characters, which servers decode to the same value.
function needsRule(plan: ParameterPlan): boolean {
  if (plan.content === 'json' || plan.in === 'cookie') return true;
  if (plan.content === 'text') return hasUnsafeName(plan);
  return hasUnsafeName(plan) || shapesIn(plan.shape).some((shape) => needsRuleFor(plan, shape));
}

/** openapi-fetch encodes no names in a query, and gives some names in a path a meaning. */
const hasUnsafeName = ({ in: location, name }: ParameterPlan): boolean =>
  location === 'query' ? /[&=+#%]/.test(name) : location === 'path' && /^[.;]|\*$/.test(name);

function needsRuleFor(plan: ParameterPlan, shape: Shape): boolean {
  const { in: location, style, explode } = plan;
  if (location === 'path' && style !== 'simple') return true;
  if (shape.kind === 'scalar') return false;
  if (shape.kind === 'array')
    return !hasPlainItems(shape) || (location === 'query' && style !== 'deepObject' && !explode);
  if (shape.kind === 'object')
    return !(style === 'deepObject' || (location === 'path' && !explode)) || !hasPlainProperties(shape);
  // Any value is possible. In an exploded query without a type, the server reads lists and texts, as they are sent.
  return !(location === 'query' && style === 'form' && explode);
}

/** openapi-fetch leaves out what is null, and refuses what is nested. */
const isPlain = (shape: Shape): boolean => shape.kind === 'scalar' && !shape.types.includes('null');

const hasPlainItems = ({ items, prefix }: ArrayShape): boolean => [items, ...prefix].every(isPlain);

/** Whether openapi-fetch can send the properties: it does not encode their names. */
const hasPlainProperties = ({ names, properties, patterns }: ObjectShape): boolean =>
  names === 'declared' &&
  patterns.length === 0 &&
  Object.entries(properties).every(([name, shape]) => isPlain(shape) && encodeURIComponent(name) === name);

/**
 * Returns the bodies that openapi-fetch 0.17 would send as `application/json`, although they are not, by method and path of
 * their operation. If an operation accepts JSON too, only values with files must be forms.
 */
export const bodyRules = ({ operations, resolve }: Contract): [operation: string, form: BodyRule][] =>
  operations.flatMap(({ method, path, body }): [string, BodyRule][] => {
    const content = body?.content ?? [];
    const [multipart, urlencoded, json = content[0]] = (['multipart', 'form', 'json'] as const).map(
      (format) => content.find(({ mediaType }) => bodyFormatOf(mediaType) === format),
    );
    const isPlain = content.some(({ mediaType }) => documentedType([mediaType], 'application/json'));
    const form = multipart ?? (isPlain ? undefined : urlencoded);
    const sent = form ?? (isPlain ? undefined : json);
    if (!sent) return [];
    const { mediaType } = sent;
    const other = bodyFormatOf(mediaType) === 'json' ? 'json' : 'bytes';
    const kind = !form
      ? other
      : !multipart
        ? 'urlencoded'
        : isPlain
          ? 'multipart if it has files'
          : 'multipart';
    const type = multipart || mediaType.includes('*') ? {} : { type: mediaType };
    return [
      [`${method.toUpperCase()} ${path}`, { kind, ...type, fields: form ? fieldsOf(form, resolve) : [] }],
    ];
  });

/** Returns the properties with an encoding; none if it is not defined, because servers then refuse all requests. */
function fieldsOf(form: Content, resolve: Contract['resolve']): BodyRule['fields'] {
  try {
    return planForm(form, resolve).query.parameters.slice(0, -1).map(ruleOf);
  } catch {
    return [];
  }
}
