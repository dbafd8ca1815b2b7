/** Globals that the portal's scripts share. Scripts are loaded one by one, so that the portal works from a disk. */
export interface SearchEntry {
  title: string;
  /** The part of the portal: a guide's title, or a method and path. */
  location: string;
  text: string;
  /** Relative to the portal's root. */
  href: string;
}

declare global {
  interface Window {
    parleySearch?: SearchEntry[];
    /** The contract, for the reference. */
    parleyContract?: object;
    /** URL of the mock, and its token. */
    parleyMock?: { url: string; token: string };
    /** URL of the service that serves this portal, if any. */
    parleyService?: string;
    Scalar?: {
      createApiReference: (
        selector: string,
        configuration: object,
      ) => { updateConfiguration?: (configuration: object) => void };
    };
  }
}
