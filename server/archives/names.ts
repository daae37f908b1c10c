import { type FilePath, parentOf, ROOT, trustedChild } from '../../shared/path.ts'
import type { Files } from '../files/files.ts'

/**
 * Names of archive entries, relative to a folder. A backslash separates folders on some systems, so `..\x` could escape
 * from the folder into which the archive is extracted; it becomes `_`, and so does the colon of a drive before one
 * (http-api 5). Two different paths never get the same name.
 */
export class EntryNames {
  readonly #files: Files
  readonly #base: FilePath
  /** New paths of renamed entries; few trees have any. */
  readonly #renamed = new Map<FilePath, FilePath>()
  readonly #taken = new Set<string>()
  /** Names at the top that could collide with the error file's. */
  readonly #reserved = new Set<string>()

  constructor(files: Files, base: FilePath) {
    this.#files = files
    this.#base = base
  }

  /** The entry name of a path below the base; `undefined` for one that needs a lookup. */
  plain(path: FilePath): string | undefined {
    return path.includes('\\') ? undefined : this.#below(path)
  }

  /** The entry name of any path below the base. */
  async of(path: FilePath): Promise<string> {
    return this.#below(await this.#placed(path))
  }

  #below(placed: FilePath): string {
    const name = placed.slice(this.#base === ROOT ? 1 : this.#base.length + 1)
    if (name.startsWith('_errors')) this.#reserved.add(name)
    return name
  }

  /** A name at the top of the archive that no member has had. */
  free(stem: string, extension: string): string {
    for (let number = 0; ; number++) {
      const name = number === 0 ? stem + extension : `${stem}(${number})${extension}`
      if (!this.#reserved.has(name)) return name
    }
  }

  async #placed(path: FilePath): Promise<FilePath> {
    if (path === this.#base || path === ROOT) return path
    if (!path.includes('\\')) return path
    const known = this.#renamed.get(path)
    if (known) return known
    const folder = parentOf(path)
    const name = path.slice(folder === ROOT ? 1 : folder.length + 1)
    const within = await this.#placed(folder)
    if (!name.includes('\\')) return trustedChild(within, name)
    const placed = trustedChild(within, await this.#harmless(folder, within, name))
    this.#renamed.set(path, placed)
    return placed
  }

  async #harmless(folder: FilePath, within: FilePath, name: string): Promise<string> {
    const plain = name.replace(/^([A-Za-z]):/, '$1_').replaceAll('\\', '_')
    for (let number = 0; ; number++) {
      const candidate = number === 0 ? plain : `${plain}(${number})`
      const key = trustedChild(within, candidate)
      if (this.#taken.has(key) || (await this.#exists(trustedChild(folder, candidate)))) continue
      this.#taken.add(key)
      return candidate
    }
  }

  /** Paths hidden by the policy are not in the archive, so their names are free. */
  async #exists(path: FilePath): Promise<boolean> {
    return this.#files.info(path).then(
      () => true,
      () => false,
    )
  }
}
