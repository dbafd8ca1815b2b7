import type { ParameterPlan } from './parameter-plan.ts';
import { decodeCookie, decodeQuery } from './percent-decode.ts';
import type { Reading } from './reading.ts';
import { type Entries, entriesOfList, type Source, split } from './source.ts';

// A space cannot be written otherwise, and browsers encode `|`, so the encoded delimiter separates, too (OpenAPI 3.1.1,
// appendix E).
const delimiters = { spaceDelimited: /%20|\+/g, pipeDelimited: /%7C/gi } as const;

/**
 * Splits the values of a query parameter.
 * @param values those sent under its own name
 * @param collected those of an exploded object, by decoded name
 */
export function querySource(
  plan: ParameterPlan,
  values: readonly string[],
  collected: Entries | undefined,
  reading: Reading,
): Source {
  return pairsSource(plan, values, collected, (text) => decodeQuery(text, reading));
}

/** Splits the values of a cookie. The last one counts if its values are not repeated. */
export function cookieSource(
  plan: ParameterPlan,
  values: readonly string[],
  collected: Entries | undefined,
): Source {
  const { explode, name } = plan;
  const source = pairsSource(plan, values.slice(-1), collected, decodeCookie);
  // The serialization of a query within one cookie: `color=blue&color=black`.
  const items = () => values.flatMap((each) => split(each, `&${name}=`));
  return explode ? { ...source, items } : source;
}

function pairsSource(
  { style, explode }: ParameterPlan,
  values: readonly string[],
  collected: Entries | undefined,
  decode: Source['decode'],
): Source {
  const text = () => (values.length === 1 ? values[0] : undefined);
  const list = () => {
    const value = text();
    if (value === undefined) return undefined;
    return style === 'spaceDelimited' || style === 'pipeDelimited'
      ? split(value.replaceAll(delimiters[style], delimiter(style)), delimiter(style))
      : split(value, ',');
  };
  return {
    text,
    items: explode ? () => (values.length > 0 ? values : undefined) : list,
    entries: () => (explode ? collected : entriesOfList(list(), decode)),
    decode,
    repeatsProperties: explode,
  };
}

const delimiter = (style: 'spaceDelimited' | 'pipeDelimited'): string =>
  style === 'pipeDelimited' ? '|' : ' ';
