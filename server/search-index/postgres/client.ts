import pg from 'pg'

/** A parameter of a statement. */
export type Value = string | number | boolean | null | Uint8Array | readonly Value[]
export type Row = Record<string, unknown>

/** PostgreSQL's type number of 64-bit integers; ours are within JavaScript's exact range. */
const INT8 = 20

/**
 * An error of PostgreSQL or of the connection to it. `state`: PostgreSQL's SQLSTATE of five characters; `undefined` if
 * the error is not from the database.
 */
export class PgError extends Error {
  override readonly name = 'PgError'
  readonly state: string | undefined

  constructor(cause: unknown) {
    super(String(cause), { cause })
    this.state = cause instanceof pg.DatabaseError ? cause.code : undefined
  }
}

/** A connection to PostgreSQL that prepares each statement once. */
export class PgClient {
  readonly #client: pg.Client
  /** Names of prepared statements. */
  readonly #names = new Map<string, string>()

  /** @throws PgError */
  static async connect(connection: pg.ClientConfig): Promise<PgClient> {
    const client = new pg.Client({
      ...connection,
      types: {
        getTypeParser: (type, format) => (type === INT8 ? Number : pg.types.getTypeParser(type, format)),
      },
    })
    client.on('error', () => {})
    await spoken(client.connect())
    return new PgClient(client)
  }

  private constructor(client: pg.Client) {
    this.#client = client
  }

  /** @throws PgError */
  async all(sql: string, ...values: readonly Value[]): Promise<Row[]> {
    const name = this.#names.get(sql) ?? `index ${this.#names.size}`
    this.#names.set(sql, name)
    const { rows } = await spoken(this.#client.query({ name, text: sql, values: [...values] }))
    return rows
  }

  /** The first row. @throws PgError */
  async one(sql: string, ...values: readonly Value[]): Promise<Row | undefined> {
    return (await this.all(sql, ...values))[0]
  }

  /** Runs statements without parameters. @throws PgError */
  async run(sql: string): Promise<void> {
    await spoken(this.#client.query(sql))
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {})
  }
}

async function spoken<T>(pending: Promise<T>): Promise<T> {
  try {
    return await pending
  } catch (thrown) {
    throw new PgError(thrown)
  }
}
