/** An input exceeds a limit of its parser. The message names the limit, for the client. */
export class InputLimitError extends Error {}
