/** Formats a number with a noun, such as `1 error` or `2 errors`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
