import { workerData } from 'node:worker_threads'
import pg from 'pg'
import type { PgRequest, PgResponse, PgWorkerSetup } from './sync-pg-protocol.ts'

// The thread that holds the connection of a synchronous client; see `WaitingClient`.

/** PostgreSQL's type number of 64-bit integers; ours are within JavaScript's exact range. */
const INT8 = 20

const { connection, port, bell } = workerData as PgWorkerSetup
const client = new pg.Client({
  ...connection,
  types: {
    getTypeParser: (type, format) => (type === INT8 ? Number : pg.types.getTypeParser(type, format)),
  },
})
client.on('error', () => {})
const connected = client.connect()
connected.catch(() => {})
/** Names of prepared statements. */
const names = new Map<string, string>()

port.on('message', (asked: PgRequest) => {
  void answerTo(asked).then(answered => {
    port.postMessage(answered)
    Atomics.store(bell, 0, 1)
    Atomics.notify(bell, 0)
  })
})
port.on('close', () => void client.end().catch(() => {}))

async function answerTo({ sql, values }: PgRequest): Promise<PgResponse> {
  try {
    await connected
    if (!values) {
      await client.query(sql)
      return { rows: [] }
    }
    if (!names.has(sql)) names.set(sql, `names ${names.size}`)
    const { rows } = await client.query({ name: names.get(sql), text: sql, values: [...values] })
    return { rows }
  } catch (thrown) {
    const isSpoken = thrown instanceof pg.DatabaseError
    return { failed: String(thrown), state: isSpoken ? thrown.code : undefined }
  }
}
