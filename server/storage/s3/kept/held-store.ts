import type { IncomingMessage } from 'node:http'
import type { ObjectStore, S3Request, S3Response } from '../client.ts'
import type { ListPage, PageOptions } from '../page.ts'
import { refused } from '../s3-errors.ts'
import type { Held } from './note.ts'

/** Keys in a page. */
const PAGE = 1000

/** Versions of objects under other keys, to read from, as if they were a bucket. */
export class HeldStore implements ObjectStore {
  readonly #store: ObjectStore
  readonly #key: string
  readonly #held = new Map<string, Held>()
  /** In the order of a listing. */
  readonly #keys: string[]

  /** @param key that the rest of each key follows in the bucket @param shown what takes its place here */
  constructor(store: ObjectStore, held: readonly Held[], key: string, shown: string) {
    this.#store = store
    this.#key = key
    for (const one of held) this.#held.set(shown + one.rest, one)
    this.#keys = [...this.#held.keys()]
  }

  get bucket(): string {
    return this.#store.bucket
  }

  async ask(request: S3Request): Promise<S3Response> {
    return this.#store.ask(this.#asHeld(request))
  }

  async open(request: S3Request): Promise<IncomingMessage> {
    return this.#store.open(this.#asHeld(request))
  }

  presign(key: string, query: Readonly<Record<string, string>>, seconds: number): string {
    const held = this.#asHeld({ method: 'GET', key, query })
    return this.#store.presign(held.key ?? '', held.query ?? {}, seconds)
  }

  async list(prefix: string, { delimited = false, most = PAGE, next }: PageOptions): Promise<ListPage> {
    const objects: ListPage['objects'] = []
    const folders = new Set<string>()
    for (let at = next === undefined ? this.#firstOf(prefix) : Number(next); at < this.#keys.length; at += 1) {
      const key = this.#keys[at] ?? ''
      if (!key.startsWith(prefix)) break
      const end = delimited ? key.indexOf('/', prefix.length) : -1
      const folder = key.slice(0, end + 1)
      if (end >= 0 && folders.has(folder)) continue
      if (objects.length + folders.size >= most) return { objects, folders: [...folders], next: String(at) }
      if (end >= 0) folders.add(folder)
      else objects.push({ ...(this.#held.get(key) as Held), key })
    }
    return { objects, folders: [...folders], next: undefined }
  }

  /** Index of the first key with a prefix; keys are in the order of their bytes. */
  #firstOf(prefix: string): number {
    const bytes = Buffer.from(prefix)
    let [low, high] = [0, this.#keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (Buffer.from(this.#keys[middle] ?? '').compare(bytes) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** @throws not_found */
  #asHeld(request: S3Request): S3Request {
    const held = this.#held.get(request.key ?? '')
    if (!held || !(request.method === 'GET' || request.method === 'HEAD')) throw refused('NoSuchKey', 404)
    return { ...request, key: this.#key + held.rest, query: { ...request.query, versionId: held.version } }
  }
}
