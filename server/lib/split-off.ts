/**
 * Separates some properties of an object from the others. Names that the object does not have are missing in both.
 * @returns the named properties, and the others
 */
export function splitOff<Whole extends object, Name extends string>(
  whole: Whole,
  names: readonly Name[],
): [Pick<Whole, Extract<keyof Whole, Name>>, Omit<Whole, Name>] {
  const wanted: readonly string[] = names;
  const isNamed = ([name]: [string, unknown]) => wanted.includes(name);
  const entries: [string, unknown][] = Object.entries(whole);
  const pick = (kept: [string, unknown][]): object => Object.fromEntries(kept);
  return [
    pick(entries.filter(isNamed)) as Pick<Whole, Extract<keyof Whole, Name>>,
    pick(entries.filter((each) => !isNamed(each))) as Omit<Whole, Name>,
  ];
}
