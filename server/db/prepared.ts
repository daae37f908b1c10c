import {
  type Compilable,
  type CompiledQuery,
  type KyselyPlugin,
  OperationNodeTransformer,
  type QueryResult,
  type ValueNode,
} from 'kysely'
import type { Db } from './schema.ts'

/** Stands for a value while a statement is built. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * Writes what is the same each time into the text of a statement. As a value, SQLite would look at it before each run, and
 * plan again where an index is partial: that takes several times as long as to run it.
 */
class Literals extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return node.value instanceof Parameter ? node : { ...node, immediate: true }
  }
}

const literals = new Literals()
const LITERALS: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => literals.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
}

/** What a statement is built with. */
interface Build<V> {
  db: Db
  /** The value of a name, for the builder to place. */
  value<K extends keyof V & string>(name: K): V[K]
}

/**
 * A statement that is built and compiled once for each database: that takes several times as long as to run it. For what
 * every request or every change of a file runs.
 * @param build the statement; each value in it is one of `value`, or the same each time
 */
export function statement<V extends object, R = unknown>(
  build: (how: Build<V>) => Compilable<R>,
): (db: Db, values: V) => Promise<QueryResult<R>> {
  const compiled = new WeakMap<object, CompiledQuery<R>>()
  return (db, values) => {
    // A transaction has the adapter of its database.
    const { adapter } = db.getExecutor()
    const query =
      compiled.get(adapter) ??
      build({ db: db.withPlugin(LITERALS), value: name => new Parameter(name) as never }).compile()
    compiled.set(adapter, query)
    const given = values as Readonly<Record<string, unknown>>
    const parameters = query.parameters.map(each => (each instanceof Parameter ? given[each.name] : each))
    return db.executeQuery<R>({ ...query, parameters })
  }
}

/** The same for one row by one value. @param build the query with the value as its only parameter */
export function prepared<V extends string | number, R>(
  build: (db: Db, value: V) => Compilable<R>,
): (db: Db, value: V) => Promise<R | undefined> {
  const run = statement<{ only: V }, R>(({ db, value }) => build(db, value('only')))
  return async (db, only) => (await run(db, { only })).rows[0]
}

/** Statements of one kind by their shape, such as the number of paths in them, each made when it is used first. */
export function byShape<S extends string | number, Run>(make: (shape: S) => Run): (shape: S) => Run {
  const known = new Map<S, Run>()
  return shape => {
    const run = known.get(shape) ?? make(shape)
    known.set(shape, run)
    return run
  }
}
