import { closeSync, openSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import type { NamesAnswer, NamesSetup } from '../messages.ts'
import { fileShelf } from '../open-sqlite.ts'
import { NamesFile } from '../sqlite-store.ts'
import type { NamesShelf, NamesStore } from '../store.ts'
import { SharedNames } from './store.ts'
import { AskError, WaitingClient } from './sync-pg-client.ts'
import { CannotShare, SharedTables } from './tables.ts'

/** Milliseconds after which a database that was away is asked again. */
const PAUSE = 5000

/**
 * For an index that all servers of one place share: their database if it can keep one, a file of this machine otherwise.
 * @param answer tells the host why it is kept in a file
 */
export function shelfFor(setup: NamesSetup, answer: (answer: NamesAnswer) => void): NamesShelf<NamesStore> {
  const { file, root, database } = setup
  if (!database) return fileShelf(setup)
  let shelf: NamesShelf<NamesStore> = databaseShelf(database, file, root)
  return {
    open() {
      try {
        return shelf.open()
      } catch (thrown) {
        if (!(thrown instanceof CannotShare)) throw thrown
        answer({ told: { news: 'kept in a file', reason: thrown.message } })
        shelf = fileShelf(setup)
        return shelf.open()
      }
    },
    isBroken: thrown => shelf.isBroken(thrown),
    discard: () => shelf.discard(),
    get lost() {
      return shelf.lost
    },
    get attempts() {
      return shelf.attempts
    },
    get pause() {
      return shelf.pause
    },
  }
}

function databaseShelf(database: ClientConfig, file: string, root: string): NamesShelf<SharedNames> {
  return {
    open() {
      const names = openShared(database, root)
      // Nobody needs what was kept there before, but that there is a file tells the next start that an index is worth having.
      NamesFile.remove(file)
      closeSync(openSync(file, 'a', 0o600))
      return names
    },
    isBroken: thrown => thrown instanceof AskError,
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
