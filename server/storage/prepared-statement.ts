import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './store.ts';

interface Compiled<Values, Row> {
  query: CompiledQuery<Row>;
  /** For each parameter: the name of its value, or a constant. */
  parameters: readonly { name?: keyof Values; always?: unknown }[];
}

/**
 * Compiles a statement once per Kysely instance, because compiling a short statement takes longer than running it.
 * @param compose builds the statement from placeholders, which it may pass on but not read
 */
export function preparedStatement<Values extends object, Row>(
  compose: (db: Database, values: Values) => Compilable<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  // A Kysely instance and its transactions share one adapter.
  const compiled = new WeakMap<object, Compiled<Values, Row>>();

  function compileFor(db: Database): Compiled<Values, Row> {
    const names = new Map<unknown, keyof Values>();
    const blankFor = (_target: object, name: string | symbol): object => {
      const blank = Object.freeze({ name });
      names.set(blank, name as keyof Values);
      return blank;
    };
    // Placeholders stand for the values. Only Kysely sees them, and passes them through.
    const query: CompiledQuery<Row> = compose(db, new Proxy({}, { get: blankFor }) as Values).compile();
    const parameters = query.parameters.map((parameter) => {
      const name = names.get(parameter);
      return name === undefined ? { always: parameter } : { name };
    });
    return { query, parameters };
  }

  return async function run(db, values) {
    const { adapter } = db.getExecutor();
    const known = compiled.get(adapter) ?? compileFor(db);
    compiled.set(adapter, known);
    const parameters = known.parameters.map(({ name, always }) =>
      name === undefined ? always : values[name],
    );
    const { rows } = await db.executeQuery<Row>({ ...known.query, parameters });
    return rows;
  };
}
