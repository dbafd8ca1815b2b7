import type { IncomingHttpHeaders } from 'node:http';

/** A request that our validation has refused. */
export interface RefusedRequest {
  operation: string;
  method: string;
  url: string;
  /** The token is replaced. */
  headers: IncomingHttpHeaders;
  body: string;
  /** Our error response. */
  refusal: { status: number; fields: string; message: string };
}
