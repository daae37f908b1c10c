import { randomBytes } from 'node:crypto'
import { putObject, removeObject } from './objects.ts'
import type { Scope } from './scope.ts'

/** An object in parts under its final key, that is not there yet. */
export interface RunningUpload {
  key: string
  /** The store's name for it. */
  id: string
}

/** Milliseconds after which the note is written anew, so that others see that somebody still works on it. */
const EVERY = 2 * 60_000

/** Where notes lie. */
export const notesIn = ({ area }: Pick<Scope, 'area'>) => `${area}parts/`

/** Writes down what a killed process would leave. @returns the key of the note */
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
