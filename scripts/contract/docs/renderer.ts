import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

/**
 * The program that shows the reference and its console in a page, in one file. Its makers' package of that name brings
 * two hundred others along; the one for Fastify has the same file in it, and gives it away to whoever asks for it.
 * @throws Error where it does not
 */
export async function rendererScript(): Promise<string> {
  const app = Fastify();
  const none = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
  await app.register(scalar, { routePrefix: '/reference', configuration: { content: none } });
  const { statusCode, body } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200 || body.length < 1_000_000) throw new Error('Scalar has not given its script.');
  return body;
}
