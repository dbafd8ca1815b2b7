import './globals.ts';

const { parleyContract: content, parleyMock: mock, parleyService: service, Scalar } = window;

interface Contract {
  paths?: Items;
  webhooks?: Items;
  servers?: { url: string; variables?: Record<string, { default: string }> }[];
  components?: { securitySchemes?: Record<string, { type?: string; scheme?: string }> };
}

interface Operation {
  operationId?: string;
  tags?: string[];
}

type Items = Record<string, Record<string, Operation | undefined>>;

const { paths = {}, webhooks = {}, servers = [], components = {} }: Contract = content ?? {};

/** The name of the contract's bearer security scheme, if any. */
const bearer = Object.entries(components.securitySchemes ?? {}).find(
  ([, { type, scheme }]) => type === 'http' && scheme?.toLowerCase() === 'bearer',
)?.[0];

/** The renderer's anchors by operation ID, so that links do not depend on the renderer. */
const locations = new Map<string, string>();
for (const [items, between] of [
  [paths, ''],
  [webhooks, 'webhook/'],
] as const)
  for (const item of Object.values(items))
    for (const operation of Object.values(item))
      if (operation?.operationId && operation.tags?.[0]) {
        const tag = operation.tags[0].toLowerCase().replaceAll(/\W+/g, '-');
        locations.set(operation.operationId, `#tag/${tag}/${between}${operation.operationId}`);
      }

/** Goes to the operation whose ID is the URL's fragment. */
function goToPlace(): void {
  const place = locations.get(location.hash.slice(1));
  if (place !== undefined) location.replace(place);
}

goToPlace();
addEventListener('hashchange', goToPlace);

interface Named {
  operationId?: string;
  method: string;
  path?: string;
  name?: string;
}

const slugOf = ({ operationId, method, path = '', name = '' }: Named): string =>
  operationId ?? webhooks[name]?.[method.toLowerCase()]?.operationId ?? `${method}-${path}${name}`;

/** Requests to this address get their response from the mock inside the page. The top-level domain is reserved (RFC 2606). */
const pageMockUrl = 'https://mock-inside-this-page.invalid';
const pageMock = window.parleyPageMock?.createMock();

const fetchOrMock: typeof fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  if (pageMock && url.startsWith(pageMockUrl)) return pageMock.fetch(input, init);
  try {
    return await fetch(input, init);
  } catch {
    const { origin } = new URL(url, location.href);
    const start =
      origin === mock?.url
        ? ' Start the mock (npm run mock), or'
        : ' Check that it runs and allows requests from this page (CORS), or';
    throw new TypeError(`${origin} does not respond.${start} choose the mock inside this page.`);
  }
};

/** Replaces the variables of a server's URL with their default values, so that the list of servers shows addresses. */
const withDefaults = ({ variables = {}, url, ...server }: (typeof servers)[number]) => ({
  ...server,
  url: url.replaceAll(/\{(\w+)\}/g, (variable, name) => variables[name]?.default ?? variable),
});

/** The servers to choose from, the first one first. The list of a contract often contains the mock or the service. */
const targets = [
  ...(pageMock === undefined
    ? []
    : [{ url: pageMockUrl, description: 'The mock inside this page, without a server' }]),
  ...(mock === undefined ? [] : [{ url: mock.url, description: 'The mock on your machine: npm run mock' }]),
  ...(service === undefined ? [] : [{ url: service, description: 'The service that serves this page' }]),
  ...servers.map(withDefaults),
];

const configuration = () => ({
  content,
  servers: targets.filter(({ url }, at) => targets.findIndex((each) => each.url === url) === at),
  customFetch: fetchOrMock,
  ...(bearer === undefined
    ? {}
    : {
        authentication: {
          preferredSecurityScheme: bearer,
          securitySchemes: { [bearer]: { token: mock?.token ?? '' } },
        },
      }),
  generateOperationSlug: slugOf,
  generateWebhookSlug: slugOf,
  layout: 'modern',
  theme: 'none',
  darkMode: document.documentElement.dataset.theme === 'dark',
  forceDarkModeState: document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light',
  hideDarkModeToggle: true,
  // The portal has its own search and downloads.
  hideSearch: true,
  documentDownloadType: 'none',
  // The page loads nothing from other origins and sends no telemetry.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  defaultOpenFirstTag: true,
  metaData: { title: document.title },
});

const reference = Scalar?.createApiReference('#console', configuration());
document.addEventListener('parley-theme', () => {
  const { hash } = location;
  reference?.updateConfiguration?.(configuration());
  // The renderer goes to another place.
  requestAnimationFrame(() => document.getElementById(hash.slice(1))?.scrollIntoView());
});

/** Names the renderer's buttons that copy code, for screen readers: their text is hidden until the pointer is over them. */
function nameCopyButtons(): void {
  for (const button of document.querySelectorAll('.scalar-code-copy:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy the code');
}

new MutationObserver(nameCopyButtons).observe(document.body, { childList: true, subtree: true });
