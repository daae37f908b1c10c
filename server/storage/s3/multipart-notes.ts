import { randomBytes } from 'node:crypto'
import { putObject, removeObject } from './objects.ts'
import type { Scope } from './scope.ts'

/** A multipart upload to a final key. */
export interface RunningUpload {
  key: string
  /** The store's upload id. */
  id: string
}

/** Milliseconds after which a note is rewritten, as a sign of life for other servers. */
const EVERY = 2 * 60_000

/** Key prefix of the notes. */
export const notesIn = ({ area }: Pick<Scope, 'area'>) => `${area}parts/`

/** Records what would be left if this process were killed. @returns the key of the note */
export async function keepNote(scope: Scope, upload: RunningUpload): Promise<string> {
  await scope.notes?.note(scope.area)
  const key = notesIn(scope) + randomBytes(16).toString('hex')
  const write = () => putObject(scope.client, key, Buffer.from(JSON.stringify(upload)), {})
  await write()
  scope.unfinished.set(key, setInterval(() => void write().catch(() => {}), EVERY).unref())
  return key
}

export async function dropNote(scope: Scope, key: string): Promise<void> {
  clearInterval(scope.unfinished.get(key))
  scope.unfinished.delete(key)
  await removeObject(scope.client, key).catch(() => {})
}
