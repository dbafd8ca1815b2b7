import { PipelineError } from './errors.ts';

/** Rejects a URL that cannot be decoded, before anything decodes it. @throws PipelineError */
export function assertDecodableUrl(url: string): void {
  if (!url.includes('%') || isDecodable(url)) return;
  throw new PipelineError('malformedRequest', { message: 'The percent-encoding of the URL is invalid.' });
}

function isDecodable(url: string): boolean {
  try {
    // The result is used, because minifiers remove a call whose only purpose is to throw an error.
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}
