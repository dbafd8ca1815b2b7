/** A rule that the service has broken. */
export class Violation extends Error {
  rule: string;
  constructor(rule: string, message: string) {
    super(message);
    this.rule = rule;
  }
}

/** Returns a time of a simulation as its history shows it. @param ms milliseconds */
export const inSeconds = (ms = 0): string => `${(ms / 1_000).toFixed(4)} s`;

let first: Violation | undefined;

/** Records that a rule is broken. */
export function recordViolation(rule: string, message: string): Violation {
  const violation = new Violation(rule, message);
  first ??= violation;
  return violation;
}

/** Records that a rule is broken. The code of the service may catch what this throws. @throws Violation */
export function violate(rule: string, message: string): never {
  throw recordViolation(rule, message);
}

/** Returns the first violation since the last call of `resetViolation`. */
export const firstViolation = (): Violation | undefined => first;

export function resetViolation(): void {
  first = undefined;
}
