/** Wraps a function so that its first result is cached. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Wraps a function so that its result for each argument is cached.
 * @param keyOf returns what identifies an argument (default: the argument itself)
 */
export function oncePer<Given, Result>(
  make: (given: Given) => Result,
  keyOf: (given: Given) => unknown = (given) => given,
): (given: Given) => Result {
  const made = new Map<unknown, { value: Result }>();
  return (given) => {
    const key = keyOf(given);
    const known = made.get(key) ?? { value: make(given) };
    made.set(key, known);
    return known.value;
  };
}

/** Wraps a function of an owner and another argument so that its results are cached as long as the owner exists. */
export function oncePerOwner<Owner extends object, Given, Result>(
  make: (owner: Owner, given: Given) => Result,
): (owner: Owner, given: Given) => Result {
  const made = new WeakMap<Owner, (given: Given) => Result>();
  return (owner, given) => {
    const own = made.get(owner) ?? oncePer((each: Given) => make(owner, each));
    made.set(owner, own);
    return own(given);
  };
}
