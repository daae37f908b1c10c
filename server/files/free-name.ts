import { type FilePath, nameOf, numberedName, parentOf, trustedChild } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'
import type { Policy } from './policy.ts'

/** The most names tried before a transfer fails. */
const MAX_SUFFIX = 10_000

/** Reserves a name for an entry to be created. @returns whether it was not reserved yet */
export type ReserveName = (path: FilePath) => boolean

/** Names reserved for entries that are being created: until those exist, the store reports the names as free. */
export class NameReservations {
  readonly #taken = new Set<FilePath>()

  /**
   * Runs `act`, which may reserve names; they are released when it has ended.
   * @param base the place of its scope in the served root
   */
  async during<T>(base: Base, act: (reserve: ReserveName) => Promise<T>): Promise<T> {
    const own: FilePath[] = []
    const reserve = (path: FilePath) => {
      const whole = base.placeOf(path)
      if (this.#taken.has(whole)) return false
      this.#taken.add(whole)
      own.push(whole)
      return true
    }
    try {
      return await act(reserve)
    } finally {
      for (const name of own) this.#taken.delete(name)
    }
  }
}

/** The context in which names are tested. */
export interface NameContext {
  store: StorageDriver
  policy: Policy
  reserve: ReserveName
}

/** The wanted path if it is free, or the first free `stem(n).ext` (http-api 3.5), reserved. @throws exists */
export async function freeName({ store, policy, reserve }: NameContext, wanted: FilePath): Promise<FilePath> {
  for (const path of namesLike(wanted)) {
    // Reserved first: the previous holder may have released it by the time the store answers.
    if (policy.sees(path) && reserve(path) && !(await isTaken(store, path))) return path
  }
  throw new AppError('exists')
}

/** A link that leads out of the scope takes its name, too. */
async function isTaken(store: StorageDriver, path: FilePath): Promise<boolean> {
  try {
    return (await store.stat(path)) !== undefined
  } catch (thrown) {
    if (asAppError(thrown).code !== 'outside_scope') throw thrown
    return true
  }
}

/** The path itself, then with numbers before the extension. */
function* namesLike(wanted: FilePath): Generator<FilePath> {
  yield wanted
  for (let copy = 1; copy <= MAX_SUFFIX; copy += 1) {
    yield trustedChild(parentOf(wanted), numberedName(nameOf(wanted), copy))
  }
}
