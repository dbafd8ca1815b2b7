import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

/**
 * Returns Scalar's browser script, which renders the reference and its console. The script comes from Scalar's Fastify
 * plugin, because Scalar's own package with the same script has 200 dependencies.
 * @throws Error if the plugin does not serve the script
 */
export async function scalarScript(): Promise<string> {
  const app = Fastify();
  const none = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
  await app.register(scalar, { routePrefix: '/reference', configuration: { content: none } });
  const { statusCode, body } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200 || body.length < 1_000_000) throw new Error('Scalar returned no script.');
  return body;
}
