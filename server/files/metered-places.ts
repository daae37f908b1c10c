import { type FilePath, joinPath, nameOf, parentOf, ROOT, trustedChild } from '../../shared/path.ts'
import { asAppError } from '../errors.ts'
import { type Amount, amountOfFile, NOTHING } from '../lib/amount.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { Meter, Metering } from './metering.ts'

/** The paths of one store, as meters see them. */
export class MeteredPlaces {
  readonly #store: StorageDriver
  readonly #base: FilePath
  readonly #metering: Metering

  /** @param base the place of the store's root in the served root */
  constructor(store: StorageDriver, base: FilePath, metering: Metering) {
    this.#store = store
    this.#base = base
    this.#metering = metering
  }

  /** The meters that count what is at a path, or would be. */
  async over(path: FilePath): Promise<readonly Meter[]> {
    if (!this.#metering.isOn) return []
    await this.#metering.ready()
    return this.#metering.over(await this.placeOf(path))
  }

  /** The meters that count what is in a folder. */
  in(folder: FilePath): Promise<readonly Meter[]> {
    return this.over(trustedChild(folder, 'any'))
  }

  /** The place of a path in the served root; symbolic links on the way are followed, one at its end is not. */
  async placeOf(path: FilePath): Promise<FilePath> {
    if (path === ROOT) return this.#base
    const name = nameOf(path)
    const folder = parentOf(path)
    const above = folder === ROOT ? undefined : await this.standing(folder)
    if (above) return trustedChild(joinPath(this.#base, above.canonical), name)
    return folder === ROOT ? trustedChild(this.#base, name) : trustedChild(await this.placeOf(folder), name)
  }

  async standing(path: FilePath): Promise<Entry | undefined> {
    try {
      return await this.#store.stat(path)
    } catch (thrown) {
      if (asAppError(thrown).code === 'unavailable') throw thrown
      return undefined
    }
  }

  /** What is at a path and below it; a link is nothing. */
  async measure(path: FilePath): Promise<Amount> {
    const entry = await this.standing(path)
    return entry ? amountOf(this.#store, entry) : NOTHING
  }

  /** The folders that are missing on the way to a path, the outermost first. */
  async missingAbove(path: FilePath): Promise<FilePath[]> {
    const missing: FilePath[] = []
    for (let folder = parentOf(path); folder !== ROOT && !(await this.standing(folder)); folder = parentOf(folder))
      missing.unshift(folder)
    return missing
  }
}

/** An entry and everything below it. @throws as `StorageDriver.list` */
export async function amountOf(store: StorageDriver, { kind, isLink, size, path }: Entry): Promise<Amount> {
  if (isLink) return NOTHING
  if (kind === 'file') return amountOfFile(size)
  return kind === 'folder' ? amountOfFolder(store, path) : NOTHING
}

/** A folder, itself included, and everything below it. @throws as `StorageDriver.list` */
export async function amountOfFolder(store: StorageDriver, folder: FilePath): Promise<Amount> {
  const { bytes, items } = await amountBelow(store, folder)
  return { bytes, items: items + 1 }
}

/** Everything below a folder. Links are not followed; what vanishes meanwhile does not count. */
export async function amountBelow(
  store: StorageDriver,
  folder: FilePath,
  pause?: () => Promise<void>,
): Promise<Amount> {
  const sum = { ...NOTHING }
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    await pause?.()
    try {
      for await (const batch of store.list(next)) {
        for (const { kind, isLink, size, path } of batch) {
          if (isLink || (kind !== 'file' && kind !== 'folder')) continue
          sum.items += 1
          if (kind === 'file') sum.bytes += size
          else folders.push(path)
        }
      }
    } catch (thrown) {
      if (!['not_found', 'not_a_folder'].includes(asAppError(thrown).code)) throw thrown
    }
  }
  return sum
}
