import type { CompiledOperation } from '../../contract/operation.ts';
import { rewordAjvMessage } from '../../lib/ajv-message.ts';
import { ownOf } from '../../lib/own-property.ts';

/** One violation that the stock middleware reports. */
export interface StockViolation {
  /** Its own form of a location: `/body/first_name`, `/query/page`, `/response/id`. */
  path: string;
  message: string;
  /** The violated keyword; undefined if it names none. */
  keyword: string | undefined;
}

/** The stock middleware refuses a request or a response. */
export class StockRefusal extends Error {
  readonly status: number;
  readonly violations: readonly StockViolation[];
  constructor(status: number, violations: readonly StockViolation[]) {
    super('express-openapi-validator refuses the message.');
    this.status = status;
    this.violations = violations;
  }
}

/** Converts an error of the stock middleware. Returns other errors unchanged, such as those of a wrong set-up. */
export function toStockRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !('status' in error) || !('errors' in error)) return error;
  const { status, errors } = error;
  if (typeof status !== 'number' || !Array.isArray(errors)) return error;
  return new StockRefusal(
    status,
    errors.map(({ path, message, errorCode }: Record<string, unknown>) => ({
      path: String(path),
      message: rewordAjvMessage(String(message)),
      keyword: typeof errorCode === 'string' ? errorCode.replace(/\.openapi\.validation$/, '') : undefined,
    })),
  );
}

const locations: Readonly<Record<string, string>> = {
  query: 'query',
  params: 'path',
  headers: 'header',
  cookies: 'cookie',
};

/** Maximum length of a location, in characters: a body can have long names. */
const maxLocation = 256;

/**
 * Returns a location as our error responses name it (D26): `/first_name`, `query/page`, `header/If-Match`. Empty if the
 * violation has none: the middleware then gives the URL of the request, which can contain personal data.
 */
export function locationOf({ parameters }: Pick<CompiledOperation, 'parameters'>, path: string): string {
  const [, part = '', ...rest] = path.split('/');
  if (part === 'body' || part === 'response')
    return (rest.length > 0 ? `/${rest.join('/')}` : 'body').slice(0, maxLocation);
  const location = ownOf(locations, part);
  if (location === undefined) return '';
  const [name = '', ...inside] = rest;
  const header = parameters.headers.find(({ key }) => part === 'headers' && key === name.toLowerCase());
  return [location, header?.name ?? name, ...inside].join('/').slice(0, maxLocation);
}
