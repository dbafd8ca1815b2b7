import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type ErrorRequestHandler, type Request } from 'express';
import { middleware } from 'express-openapi-validator';
import type { RequestHead, ValidatedResponse } from '../../contract/exchange.ts';
import { isJson } from '../../contract/media-type.ts';
import type { ContractDocument } from '../../contract/operation.ts';
import { formats } from '../../lib/formats.ts';
import { toStockRefusal } from './stock-refusal.ts';

/** A request that the stock middleware has accepted, with the values that it passes to routes. */
export interface StockAccepted {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
  /** Validates a response to the request. @throws StockRefusal */
  validateResponse: (response: ValidatedResponse) => void;
}

/** Validates a request. @param body the parsed body, which may be changed @throws StockRefusal */
export type StockValidator = (req: RequestHead, body: unknown) => Promise<StockAccepted>;

/** A request with the property that the middleware adds; its types do not include it. */
type StockRequest = Request & { openapi?: { pathParams?: Record<string, unknown> } };

interface Outcome {
  accept: (req: StockRequest) => void;
  refuse: (error: unknown) => void;
}

/** Returns options that make the stock middleware validate as ours does. It modifies them, so each caller gets a new object. */
export const stockValidatorOptions = () => ({
  validateRequests: { allErrors: true },
  validateResponses: { allErrors: true },
  validateSecurity: false,
  // The linter validates the document.
  validateApiSpec: false,
  // The body has been read and parsed.
  fileUploader: false,
  formats: { ...formats },
});

/** Mounts the stock middleware as its documentation says, on an application of its own, which gets copies of requests. */
export function createStockValidator(document: ContractDocument): StockValidator {
  const outcomes = new WeakMap<IncomingMessage, Outcome>();
  const options = stockValidatorOptions();
  const refused: ErrorRequestHandler = (error, req, _res, _next) => outcomes.get(req)?.refuse(error);
  const app = express()
    .use(
      middleware({
        ...options,
        validateResponses: {
          ...options.validateResponses,
          onError: (error, _body, req) => outcomes.get(req)?.refuse(error),
        },
        // The middleware changes its document, and its type of one is narrower than OpenAPI 3.1.
        apiSpec: structuredClone(document) as never,
      }),
    )
    .use((req) => outcomes.get(req)?.accept(req))
    .use(refused);
  return (req, body) => {
    const copy = Object.assign(new IncomingMessage(new Socket()), {
      method: req.method,
      url: req.url,
      headers: { ...req.headers },
      rawHeaders: req.rawHeaders,
      body,
    });
    // The middleware validates what is passed to `json`. Nothing is sent.
    const res = Object.assign(new ServerResponse(copy), { json: (_body: unknown) => {} });
    copy.push(null);
    return new Promise((resolve, reject) => {
      const accept = ({ openapi, query, headers, body: given }: StockRequest) =>
        resolve({
          path: { ...openapi?.pathParams },
          query: { ...query },
          headers,
          body: given,
          validateResponse: (response) => validateResponse(copy, res, response),
        });
      outcomes.set(copy, { accept, refuse: (error) => reject(toStockRefusal(error)) });
      app(copy, res);
    });
  };

  function validateResponse(
    copy: IncomingMessage,
    res: ServerResponse & { json: (body: unknown) => void },
    { status, headers, payload }: ValidatedResponse,
  ): void {
    const mediaType = headers['Content-Type'] ?? 'application/json';
    if (payload === undefined || !isJson(mediaType)) return;
    const errors: unknown[] = [];
    outcomes.set(copy, { accept: () => {}, refuse: (error) => errors.push(error) });
    res.statusCode = status;
    res.setHeader('Content-Type', mediaType);
    res.json(JSON.parse(String(payload)));
    if (errors.length > 0) throw toStockRefusal(errors[0]);
  }
}
