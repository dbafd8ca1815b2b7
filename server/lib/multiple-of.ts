/**
 * Whether a number is a multiple of another in decimal arithmetic (JSON Schema 2020-12, section 6.2.1): 19.99 is a multiple
 * of 0.01, although the quotient of the two binary numbers is no integer.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (!(divisor > 0)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [one, other] = [decimalOf(value), decimalOf(divisor)];
  const shift = one.exponent - other.exponent;
  // The quotient of numbers of very different size has more digits than are worth computing.
  if (shift < -maxShift) return one.digits === 0n;
  return shift >= 0
    ? shift > maxShift
      ? isMultipleOfPower(one.digits, other.digits)
      : (one.digits * 10n ** BigInt(shift)) % other.digits === 0n
    : one.digits % (other.digits * 10n ** BigInt(-shift)) === 0n;
}

const maxShift = 700;

/** Whether some digits with many zeros after them are a multiple: only the factors 2 and 5 come from the zeros. */
function isMultipleOfPower(digits: bigint, divisor: bigint): boolean {
  let rest = divisor;
  for (const factor of [2n, 5n]) while (rest % factor === 0n) rest /= factor;
  return digits % rest === 0n;
}

/** Returns the shortest decimal digits that stand for a number, without trailing zeros, and their exponent. */
function decimalOf(value: number): { digits: bigint; exponent: number } {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
