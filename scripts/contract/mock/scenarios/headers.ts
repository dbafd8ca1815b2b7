/** Returns the name as written and the value of a header. @param name in lower case */
export const headerOf = <Value>(
  headers: Readonly<Record<string, Value>>,
  name: string,
): [written: string, value: Value] | undefined =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name);

/** Returns the headers without one. @param name in lower case */
export const withoutHeader = <Value>(headers: Record<string, Value>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each.toLowerCase() !== name));
