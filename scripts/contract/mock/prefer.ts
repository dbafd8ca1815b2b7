import { getHttpConfigFromRequest } from '@stoplight/prism-http-server/dist/getHttpConfigFromRequest.js';
import { PipelineError } from '../../../server/pipeline/errors.ts';

/** The preferences in a request: `Prefer: code=404, example=NAME, dynamic=true`. */
export interface Preferences {
  code: number | undefined;
  exampleKey: string | undefined;
  dynamic: boolean | undefined;
  /** The seed for generated values. */
  seed: string | undefined;
}

/** Parses the `Prefer` header as Prism does. @throws PipelineError for invalid values */
export function parsePrefer(prefer: string | string[] | undefined): Preferences {
  const headers: Record<string, string> = typeof prefer === 'string' ? { prefer } : {};
  const read = getHttpConfigFromRequest({ url: { path: '/' }, headers });
  if ('left' in read)
    throw new PipelineError('validationFailed', {
      message:
        'Prefer must have a status code of three digits, such as code=404, and dynamic as true or false.',
      fields: 'header/Prefer',
    });
  const { code, exampleKey, dynamic } = read.right;
  const { seed } = read.right as { seed?: string };
  return { code, exampleKey, dynamic, seed };
}
