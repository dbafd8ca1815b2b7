/** What the scripts of the portal hand to each other; they are loaded one by one, as they work from a disk, too. */
export interface SearchEntry {
  title: string;
  /** Which part of the portal it is in: a guide's title, a method and path. */
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
    /** Where the console finds the mock, and the token that it takes. */
    parleyMock?: { url: string; token: string };
    /** Where the service is that serves this portal, if one does. */
    parleyService?: string;
    Scalar?: {
      createApiReference: (
        selector: string,
        configuration: object,
      ) => { updateConfiguration?: (configuration: object) => void };
    };
  }
}
