/** A map of at most so many entries: a new one takes the place of the one that was used least recently. */
export class RecentMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.#put(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#put(key, value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest)
  }

  /** At the end, which is used last. */
  #put(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
  }
}
