import type { RequestListener, Server } from 'node:http';
import { resolve } from 'node:path';
import type { AuthResult, RequestCredentials } from '../../server/contract/credentials.ts';
import type { ErrorFormat } from '../../server/contract/errors.ts';
import type { PipelineOptions } from '../../server/http/express/pipeline.ts';
import type { OpenApiDocument } from '../lib/openapi-document.ts';

type Authenticate = (credentials: RequestCredentials) => Promise<AuthResult<'mock'>>;

/** The options of the service in a stateful mock. */
export interface StatefulServiceOptions {
  /** Creates an authenticator for mock tokens, which name their scopes. `scopes` are all scopes of the contract. */
  authenticateWith: (scopes: ReadonlySet<string>) => Authenticate;
  onResponse: NonNullable<PipelineOptions<'mock'>['onResponse']>;
  onError: (error: unknown) => void;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Path of a file to import, in the format of the service. */
  data?: string | undefined;
  /** URL to which all webhooks are delivered; without it none are. */
  webhooksTo?: string | undefined;
  /** Called after each attempt to deliver an event. */
  onDelivery?: ((delivery: SentDelivery) => void) | undefined;
}

/** An attempt of a stateful mock to deliver an event. */
export interface SentDelivery {
  /** The type of the event. */
  type: string;
  /** The status of the response, or the reason why the attempt had no response. */
  result: string;
}

/** A service in memory. */
export interface StatefulService {
  listener: RequestListener;
  /**
   * Requests to `/_mock/NAME`, by name. They do what the API itself cannot do, such as receiving a message from outside. Each
   * gets the parsed body, and returns the status and the body of the response.
   */
  controls?: Readonly<Record<string, (body: unknown) => Promise<{ status: number; body: unknown }>>>;
  close: () => Promise<void>;
}

/** A running service under test. */
export interface RunningService {
  base: string;
  /** A token with all scopes. */
  token: string;
  close: () => Promise<void>;
}

/** How the documentation portal looks. */
export interface PortalSettings {
  /** Name in the header and in page titles (default: the contract's title). */
  name?: string;
  /** Color of links and controls, in any CSS notation. Choose colors with enough contrast to white and to #10151b. */
  color?: { light: string; dark: string };
  /** The client of the API. */
  client?: {
    /** The name of its variable in the samples of the reference (default: `client`). */
    variable: string;
    /** Returns the lines that create it, for the mock (default: those for openapi-fetch). */
    setup?: (url: string, token: string) => string;
    /** Packs the client as a tarball, which the portal offers. @returns the path of the tarball in the folder */
    pack?: (folder: string) => Promise<string>;
  };
  /** The command that starts the mock of the samples (default: `npx --no-install parley-contract mock --api FILE`). */
  mockCommand?: string;
  /** Returns a function that says how clients subscribe to a type of event. @param document the bundled contract */
  subscription?: (document: OpenApiDocument) => Promise<(type: string) => Subscription>;
}

/** How clients subscribe to a type of event. */
export interface Subscription {
  /** The ID of the operation that subscribes. */
  operation: string;
  /** The properties of its body that select the type. */
  body: Record<string, unknown>;
  /** Markdown. Links are relative to the contract. */
  text: string;
}

/** The settings that the mock inside pages needs too. */
export interface PageRules {
  /** The format of error responses. */
  errors: ErrorFormat;
  /** Rules that a schema cannot express, by operation ID. */
  requestRules: NonNullable<PipelineOptions<'mock'>['checks']>;
  /** Whether the mock sends an optional response header (in lower case). By default it sends all of them. */
  sendsOptionalHeader?: (header: string, prefer: string | undefined) => boolean;
}

/** A project's settings for its own contract. Only `createServer` also applies to other contracts. */
export interface ContractConfig extends PageRules {
  /** Path of the contract's root file, from the working directory. */
  api: string;
  /** The folder of the generated files. */
  out: string;
  /**
   * Folders outside of the project that the references of a contract may lead into. Without them, a contract can only use
   * files of its project.
   */
  allowOutside?: readonly string[] | undefined;
  /** Paths of other files with the same contract, such as its bundle. */
  copies: readonly string[];
  portal: PortalSettings;
  /** Whether `generate` writes the mock that runs inside pages and tests, `mock.js` (default: true). */
  pageMock: boolean;
  /**
   * Path of a module that exports `pageRules`, an object with the settings of `PageRules`. It and its imports must run in
   * browsers. Without it, the mock inside pages has neither request rules nor an error format of its own.
   */
  pageRules?: string;
  /** Creates the mock's HTTP server. It should handle malformed HTTP in the same way as the service. */
  createServer: (listener: RequestListener) => Server;
  /** Which tokens the mock accepts: any (default), or only mock tokens, which name their scopes. */
  mockTokens?: 'any' | 'scoped';
  /**
   * Parts of Markdown between `<!-- table: NAME -->` and `<!-- end of table -->`. The portal contains them. `generate`
   * also writes them into the files.
   */
  tables?: {
    files: readonly string[];
    /** Returns the parts by name, as Markdown. @param document the bundled contract */
    load: (document: OpenApiDocument) => Promise<Readonly<Record<string, string>>>;
  };
  /**
   * Returns files that follow from others of the project: contents by name. `generate` writes them into the output folder
   * before it reads the contract, which may refer to them.
   */
  derived?: () => Promise<Readonly<Record<string, string>>>;
  /** Starts the service on a free port, with disposable data, for the workflows. */
  startService?: () => Promise<RunningService>;
  /** Starts the service in memory for `mock --stateful`. */
  startStatefulService?: (options: StatefulServiceOptions) => Promise<StatefulService>;
}

/** Whether a path, absolute or relative, refers to the project's own contract. */
export const isOwnContract = ({ api, copies }: ContractConfig, path: string): boolean =>
  [api, ...copies].some((own) => resolve(own) === resolve(path));

/** The settings of `parley-contract.config.ts`. All are optional. */
export type ContractSettings = Partial<ContractConfig>;

/** Checks the types of the settings in `parley-contract.config.ts`. */
export const defineConfig = (settings: ContractSettings): ContractSettings => settings;
