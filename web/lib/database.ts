const DATABASE = 'filigree'
const STORES = ['drafts', 'uploads'] as const
const VERSION = 2

/** One store of this browser's database. It may be full or forbidden: nothing is kept then, and nothing fails. */
export interface Kept {
  /** @returns what was asked for; nothing where there is no storage */
  read(act: (store: IDBObjectStore) => IDBRequest): Promise<unknown>
  /** All that `act` does, or nothing. */
  write(act: (store: IDBObjectStore) => void): Promise<void>
}

export function databaseOf(name: (typeof STORES)[number]): Kept {
  return {
    read: act => withStore(name, 'readonly', act),
    async write(act) {
      await withStore(name, 'readwrite', store => {
        act(store)
        return undefined
      })
    },
  }
}

async function withStore(
  name: string,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest | undefined,
): Promise<unknown> {
  try {
    const database = await open()
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

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION)
  request.onupgradeneeded = () => {
    const { result } = request
    for (const name of STORES) if (!result.objectStoreNames.contains(name)) result.createObjectStore(name)
  }
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
