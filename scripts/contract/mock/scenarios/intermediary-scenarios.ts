import { alike, type ScenarioResponse } from './scenario.ts';

const page = (title: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

const html = (status: number, title: string) => (): ScenarioResponse => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  payload: page(title),
  changed: [],
});

/** Scenarios in which something between client and server responds. */
export const intermediaryScenarios = alike({ class: 'intermediary', effect: 'error' }, [
  {
    name: 'bad-gateway',
    title: 'A proxy responds with 502 and a page in HTML.',
    legal: { standard: 'RFC 9110, section 15.6.3' },
    change: html(502, '502 Bad Gateway'),
  },
  {
    name: 'gateway-timeout',
    title: 'A proxy responds with 504 and no body.',
    legal: { standard: 'RFC 9110, section 15.6.5' },
    change: () => ({ status: 504, headers: {}, payload: undefined, changed: [] }),
  },
  {
    name: 'login-page',
    title: 'A network responds with 200 and its login page in HTML.',
    legal: { standard: 'RFC 8952, section 1' },
    change: html(200, 'Sign in to the network'),
  },
  {
    name: 'cut-body',
    title: 'The connection ends in the middle of the body.',
    legal: { standard: 'RFC 9112, section 8' },
    change: (response) => (response.payload === undefined ? undefined : { ...response, delivery: 'cut' }),
  },
  {
    name: 'endless-body',
    title: 'The body does not end, and nothing more arrives.',
    legal: { standard: 'RFC 9112, section 9.5' },
    change: (response) => (response.payload === undefined ? undefined : { ...response, delivery: 'endless' }),
  },
]);
