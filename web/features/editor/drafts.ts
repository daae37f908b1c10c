/** Text that was typed and not saved, kept in the browser. */
export interface TextDraft {
  text: string
  /** The version of the file it began with. */
  version: string
  /** Milliseconds since the epoch. */
  at: number
}

const DATABASE = 'filigree'
const STORE = 'drafts'

/** A key of its own for every user and file. */
export function draftKey(user: number, path: string): string {
  return `${user}:${path}`
}

export async function readDraft(key: string): Promise<TextDraft | undefined> {
  return (await withStore('readonly', store => store.get(key))) as TextDraft | undefined
}

export async function writeDraft(key: string, draft: TextDraft): Promise<void> {
  await withStore('readwrite', store => store.put(draft, key))
}

export async function removeDraft(key: string): Promise<void> {
  await withStore('readwrite', store => store.delete(key))
}

/** Storage may be full or forbidden: there are no drafts then, and nothing fails. */
async function withStore(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  try {
    const database = await open()
    try {
      const transaction = database.transaction(STORE, mode)
      const request = act(transaction.objectStore(STORE))
      await settled(transaction)
      return request.result
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
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
