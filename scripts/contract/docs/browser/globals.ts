// The portal's scripts are loaded separately, so that the portal also works from disk. They share these globals.

/** A page, section, operation or event that the search finds. */
export interface SearchEntry {
  title: string;
  /** Where the entry is: the title of a page, or a method and path. Empty for whole pages. */
  location: string;
  /** The sentences from which the result shows one. */
  text: string;
  /** Words that are found, but not shown. */
  rest?: string | undefined;
  /** The heading of the entry in the results: the group of a guide, Reference, or Contract. */
  group: string;
  /** How much the entry counts among those that are found: 1 for pages of most readers, less for others. */
  weight: number;
  /** Relative to the portal's root. */
  href: string;
  /** The words of a result that match, for its excerpt. */
  terms?: string;
  /** The title and the address of each page with this property. */
  pages?: [location: string, href: string][];
}

declare global {
  interface Window {
    parleySearch?: SearchEntry[];
    /** The mock that runs in the page. */
    parleyPageMock?: { createMock: () => { fetch: typeof fetch } };
    /** The script of the form that sends a request. */
    parleyRequestForm?: typeof import('./request-form.ts');
    /** URL of the service that serves this portal, if any. */
    parleyService?: string;
  }
}
