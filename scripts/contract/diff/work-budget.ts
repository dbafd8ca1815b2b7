import { TimeIsOver, tryGenerate } from '../../testing/schema-values/arbitrary.ts';

/** Maximum work for one result, or for the values of one kind: about 2 s. A character of a value is 1. */
const maxWork = 5_000_000;

/** The work of a value that is generated, or a part of one. Values that do not fit count as well. */
const workPerPart = 10;

/** Limits the generation and validation of values: combinations of schemas can need any number of attempts. */
export class WorkBudget {
  #left = maxWork;
  #isGenerating = false;

  /** Counts generated values, or parts of them. @throws TimeIsOver while values are generated */
  readonly countParts = (parts = 1): void => this.#spend(workPerPart * parts);

  /** Counts the work of a validation, in the units of `withWorkLimit`. @throws TimeIsOver while values are generated */
  readonly countValidation = (units: number): void => this.#spend(units);

  /** Starts the work for another result. */
  renew(): void {
    this.#left = maxWork;
  }

  /** Yields values until no further one can be generated, or they need too much work. */
  *limited<T>(values: Iterator<T>): Generator<T> {
    this.renew();
    for (;;) {
      const next = this.find(() => tryGenerate(() => values.next()));
      if (!next || next.done) return;
      this.#spend(JSON.stringify(next.value)?.length ?? 0);
      yield next.value;
    }
  }

  /** Returns what `make` returns; undefined if it needs more work than is left. */
  find<T>(make: () => T): T | undefined {
    if (this.#left < 0) return undefined;
    this.#isGenerating = true;
    try {
      return make();
    } catch (error) {
      if (error instanceof TimeIsOver) return undefined;
      throw error;
    } finally {
      this.#isGenerating = false;
    }
  }

  #spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0 && this.#isGenerating) throw new TimeIsOver('The values need too much work.');
  }
}
