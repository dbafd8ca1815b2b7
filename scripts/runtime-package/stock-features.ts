import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { OpenApiDocument } from '../lib/openapi-document.ts';

/** A feature of express-openapi-validator, as a request to an application in which either middleware stands in front. */
export interface Feature {
  name: string;
  /** What differs, for readers, if the responses differ. */
  difference?: string;
  /** The default is POST for requests with a body. */
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** The body, as a value or as its text. */
  json?: unknown;
  text?: string;
  /** The names of the parts of a form. */
  parts?: string[];
}

/** The features, by the requests that show them, and the contract of the application. */
export const { features, contract: featureContract }: { features: Feature[]; contract: OpenApiDocument } =
  parse(readFileSync(join(import.meta.dirname, 'stock-features.yaml'), 'utf8'));
