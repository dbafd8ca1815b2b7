import { z } from 'zod';
import { survived } from '../../../../scripts/package/survived.ts';

/** The parts of a client of the parcels that a fault can replace. */
export interface ParcelParts {
  parcel: z.ZodType<{ id: string }>;
  page: z.ZodType<{ items: unknown[]; next?: string | null | undefined }>;
  /** Returns the cursor of the next page. */
  nextOf: (page: { next?: string | null | undefined }) => string | undefined;
  codes: z.ZodType<string>;
}

const part = z.looseObject({ id: z.string(), weight: z.number() });
const parcel = z.looseObject({
  ...{ id: z.string(), state: z.string(), weight: z.number(), sender_id: z.string(), parts: z.array(part) },
});

export const rightParts: ParcelParts = {
  parcel,
  page: z.looseObject({ items: z.array(z.unknown()), next: z.string().nullable() }),
  nextOf: ({ next }) => next ?? undefined,
  codes: z.string(),
};

/** Maximum number of pages that the program reads, so that it ends if the list does not. */
const maxPages = 20;

/** Creates the program of a team that tests its client for a list with cursors in its bodies. */
export const parcelProgram =
  ({ parcel: shape, page: pageShape, nextOf, codes }: ParcelParts) =>
  async (environment: NodeJS.ProcessEnv): Promise<void> => {
    const { SURVIVE_URL: base = '' } = environment;
    const ask = async (path: string): Promise<unknown> => {
      const response = await fetch(base + path, { signal: AbortSignal.timeout(2_000) });
      const isJson = /^application\/json\s*(;|$)/i.test(response.headers.get('Content-Type') ?? '');
      const body: unknown = isJson ? await response.json() : await response.text();
      if (response.ok && isJson) return body;
      const code = isJson ? codes.parse(Object(body).code) : undefined;
      throw Object.assign(new Error(`The service responded ${response.status}.`), {
        ...{ status: response.status, code },
      });
    };
    const list = async () => {
      const all: { id: string }[] = [];
      let query = '';
      for (let count = 0; count < maxPages; count += 1) {
        const page = pageShape.parse(await ask(`/parcels${query}`));
        all.push(...page.items.map((each) => shape.parse(each)));
        const next = nextOf(page);
        if (next === undefined) return all;
        query = `?cursor=${encodeURIComponent(next)}`;
      }
      throw new Error('The list has no end.');
    };
    await survived(() => ask('/parcels/p1').then((body) => shape.parse(body)), { environment });
    await survived(list, { complete: true, environment });
  };
