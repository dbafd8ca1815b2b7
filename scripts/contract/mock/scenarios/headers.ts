/** Returns the name as written and the value of a header. @param name in lower case */
export const headerOf = (
  headers: Readonly<Record<string, string>>,
  name: string,
): [written: string, value: string] | undefined =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name);

/** Returns the headers without one. @param name in lower case */
export const withoutHeader = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each.toLowerCase() !== name));
