import type { Company } from '../service.ts';

/** IDs of objects, by resource. */
export type ResourceIds = Readonly<Record<string, number>>;

/** How tests make an object of a resource. */
export interface TestResource {
  /**
   * Creates an object.
   * @param word is part of every text in it
   * @param ids the objects that it can refer to: those of the resources before it in the list
   * @returns its ID
   */
  create(company: Company, word: string, ids: ResourceIds): Promise<number>;
}
