import { type FilePath, ROOT } from '../../shared/path.ts'
import { pathInRoot } from '../../shared/places.ts'
import type { SearchIndex } from './search-index.ts'

/** A further root, as far as its index knows it. */
interface IndexedRoot {
  root: string
}

interface Opened extends IndexedRoot {
  index: Promise<SearchIndex | undefined>
}

export interface RootIndexesDeps {
  find(name: string): IndexedRoot | undefined
  /** `undefined` for a root whose texts cannot be indexed. */
  open(name: string, root: string): Promise<SearchIndex | undefined>
}

/** The indexes of the further roots. Each is opened when the texts of its root are first searched. */
export class RootIndexes {
  readonly #deps: RootIndexesDeps
  readonly #opened = new Map<string, Opened>()

  constructor(deps: RootIndexesDeps) {
    this.#deps = deps
  }

  /** `undefined` for a root that is not configured, or is not there. */
  async of(name: string): Promise<SearchIndex | undefined> {
    const root = this.#deps.find(name)
    if (!root) return undefined
    const known = this.#opened.get(name)
    if (known?.root === root.root) return known.index
    const index = this.#deps.open(name, root.root).catch(() => {
      this.#opened.delete(name)
      return undefined
    })
    this.#opened.set(name, { root: root.root, index })
    await (await known?.index)?.close()
    return index
  }

  /** Something changed at a place of a further root. */
  async changed(place: FilePath): Promise<void> {
    const { root = '', path = ROOT } = pathInRoot(place) ?? {}
    await (await this.#opened.get(root)?.index)?.changed(path)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map(async ({ index }) => (await index)?.close()))
  }
}
