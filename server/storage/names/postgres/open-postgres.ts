import { closeSync, openSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import type { IndexResponse, NamesSetup } from '../messages.ts'
import { sqliteBackend } from '../open-sqlite.ts'
import { NamesFile } from '../sqlite-store.ts'
import type { IndexBackend, NamesStore } from '../store.ts'
import { SharedNames } from './store.ts'
import { PgError, WaitingClient } from './sync-pg-client.ts'
import { CannotShare, SharedTables } from './tables.ts'

/** Milliseconds before an unavailable database is tried again. */
const PAUSE = 5000

/**
 * An index shared by all servers of one place in their database if that is possible, otherwise in a local file.
 * @param respond notifies the host why it is kept in a file
 */
export function sharedBackend(setup: NamesSetup, respond: (response: IndexResponse) => void): IndexBackend<NamesStore> {
  const { file, root, database } = setup
  if (!database) return sqliteBackend(setup)
  let backend: IndexBackend<NamesStore> = postgresBackend(database, file, root)
  return {
    open() {
      try {
        return backend.open()
      } catch (thrown) {
        if (!(thrown instanceof CannotShare)) throw thrown
        respond({ event: { news: 'kept in a file', reason: thrown.message } })
        backend = sqliteBackend(setup)
        return backend.open()
      }
    },
    isBroken: thrown => backend.isBroken(thrown),
    discard: () => backend.discard(),
    get lost() {
      return backend.lost
    },
    get attempts() {
      return backend.attempts
    },
    get pause() {
      return backend.pause
    },
  }
}

function postgresBackend(database: ClientConfig, file: string, root: string): IndexBackend<SharedNames> {
  return {
    open() {
      const names = openShared(database, root)
      // The old content is not needed, but the file's existence makes the next start keep an index.
      NamesFile.remove(file)
      closeSync(openSync(file, 'a', 0o600))
      return names
    },
    isBroken: thrown => thrown instanceof PgError,
    discard() {},
    lost: 'out of reach',
    attempts: Number.POSITIVE_INFINITY,
    pause: PAUSE,
  }
}

function openShared(database: ClientConfig, root: string): SharedNames {
  const client = new WaitingClient(database)
  try {
    const tables = new SharedTables(client, root)
    tables.open()
    return new SharedNames(client, tables)
  } catch (thrown) {
    client.close()
    throw thrown
  }
}
