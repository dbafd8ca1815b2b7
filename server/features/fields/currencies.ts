import { data } from 'currency-codes';

/** Codes that ISO 4217 has taken in since the list of the package was made (amendment 176: Caribbean guilder). */
const since = { XCG: 2 };

const decimals = new Map<string, number>([
  ...data.map(({ code, digits }): [string, number] => [code, digits]),
  ...Object.entries(since),
]);

/** How many decimals a currency's amounts have at most; undefined where there is no such currency. */
export const currencyDecimals = (code: string): number | undefined => decimals.get(code);
