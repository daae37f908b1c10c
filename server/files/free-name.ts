import { extensionOf, type FilePath, joinPath, nameOf, parentOf, trustedChild } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'

/** Free names tried before a transfer gives up. */
const MAX_SUFFIX = 10_000

/** Takes a name for what is going to be made there. @returns whether nobody else has taken it */
export type Choose = (path: FilePath) => boolean

/** Names that were chosen for what is still being made: until it is there the store does not tell that they are taken. */
export class ChosenNames {
  readonly #taken = new Set<FilePath>()

  /**
   * Runs `act`, which may choose names; they are let go when it has ended.
   * @param base the place of its scope in the served root
   */
  async during<T>(base: FilePath, act: (choose: Choose) => Promise<T>): Promise<T> {
    const own: FilePath[] = []
    const choose = (path: FilePath) => {
      const whole = joinPath(base, path)
      if (this.#taken.has(whole)) return false
      this.#taken.add(whole)
      own.push(whole)
      return true
    }
    try {
      return await act(choose)
    } finally {
      for (const name of own) this.#taken.delete(name)
    }
  }
}

/** Where names are looked for. */
export interface NameGround {
  store: StorageDriver
  policy: Policy
  choose: Choose
}

/** The wanted path if it is free, or the first `stem(n).ext` that is (http-api 3.5); nobody else gets it. @throws exists */
export async function freeName({ store, policy, choose }: NameGround, wanted: FilePath): Promise<FilePath> {
  for (const path of namesLike(wanted)) {
    // Chosen first: whoever had it may be done with it by the time the store answers.
    if (policy.sees(path) && choose(path) && !(await store.stat(path))) return path
  }
  throw new AppError('exists')
}

/** The name itself, then with numbers before the extension, which is everything from the last dot. */
function* namesLike(wanted: FilePath): Generator<FilePath> {
  yield wanted
  const name = nameOf(wanted)
  const extension = extensionOf(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let version = 1; version <= MAX_SUFFIX; version += 1) {
    yield trustedChild(parentOf(wanted), `${stem}(${version})${extension}`)
  }
}
