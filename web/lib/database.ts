/**
 * An IndexedDB store in a database of its own. Storage may be full or unavailable: nothing is stored then, and nothing
 * fails.
 */
export interface Kept {
  /**
   * @returns the result; `undefined` without storage
   */
  read(act: (store: IDBObjectStore) => IDBRequest): Promise<unknown>
  /** All that `act` does in one transaction, or nothing. */
  write(act: (store: IDBObjectStore) => void): Promise<void>
}

export function databaseOf(database: string, name: string): Kept {
  return {
    read: act => withStore(database, name, 'readonly', act),
    async write(act) {
      await withStore(database, name, 'readwrite', store => {
        act(store)
        return undefined
      })
    },
  }
}

async function withStore(
  databaseName: string,
  name: string,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest | undefined,
): Promise<unknown> {
  try {
    const database = await open(databaseName, name)
    try {
      const transaction = database.transaction(name, mode)
      const request = act(transaction.objectStore(name))
      await settled(transaction)
      return request?.result
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

function open(database: string, name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(name)
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no storage'))
  })
}

function settled(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('no storage'))
  })
}
