import type { ParameterPlan } from './parameter-plan.ts';
import { decodePath } from './percent-decode.ts';
import type { Reading } from './reading.ts';
import { entriesOfList, entriesOfPairs, type Source, split } from './source.ts';

/** Splits the text of a path parameter, which stands in place of its expression in the path. */
export function pathSource({ name, style, explode }: ParameterPlan, raw: string, reading: Reading): Source {
  const decode = (text: string): string => decodePath(text, reading);
  if (style === 'matrix') return matrixSource(name, explode, raw, decode);
  return style === 'label'
    ? listSource(raw.startsWith('.') ? raw.slice(1) : undefined, explode ? '.' : ',', explode, decode)
    : listSource(raw, ',', explode, decode);
}

/** Splits the text of a header, whose list items may be surrounded by spaces. Headers are not percent-encoded. */
export function headerSource(explode: boolean, raw: string): Source {
  const { items, text, ...source } = listSource(raw, ',', explode, (text) => text.trim());
  return { ...source, text: () => text()?.trim(), items: () => items()?.map((each) => each.trim()) };
}

/** A text whose parts have a delimiter between them: `blue,black`, `R,100,G,200` or `R=100,G=200`. */
function listSource(
  raw: string | undefined,
  delimiter: string,
  explode: boolean,
  decode: Source['decode'],
): Source {
  const items = () => (raw === undefined ? undefined : split(raw, delimiter));
  return {
    text: () => raw,
    items,
    entries: () => (explode ? entriesOfPairs(items(), decode) : entriesOfList(items(), decode)),
    decode,
    repeatsProperties: explode,
  };
}

/** `;color=blue,black`, `;color=blue;color=black`, `;R=100;G=200`. An empty string is `;color`. */
function matrixSource(name: string, explode: boolean, raw: string, decode: Source['decode']): Source {
  const parts = raw.startsWith(';') ? split(raw.slice(1), ';') : undefined;
  const textIn = (part: string): string | undefined => {
    const mark = part.indexOf('=');
    if (decode(mark < 0 ? part : part.slice(0, mark)) !== name) return undefined;
    return mark < 0 ? '' : part.slice(mark + 1);
  };
  const text = () => (parts?.length === 1 ? textIn(parts[0] ?? '') : undefined);
  const list = () => {
    const value = text();
    return value === undefined ? undefined : split(value, ',');
  };
  const repeated = () => {
    const values = parts?.map(textIn);
    return values?.every((each) => each !== undefined) ? values : undefined;
  };
  return {
    text,
    items: explode ? repeated : list,
    entries: () => (explode ? entriesOfPairs(parts, decode, true) : entriesOfList(list(), decode)),
    decode,
    repeatsProperties: explode,
  };
}
