/** So many in so many milliseconds. */
export interface Limit {
  most: number
  window: number
}

/** Things counted at once at most; beyond, those counted longest ago are forgotten. */
const MOST_KEYS = 10_000

interface Count {
  used: number
  endsAt: number
}

/** Counts attempts by key, such as an address, in windows that start with the first. */
export class Attempts {
  readonly #limit: Limit
  readonly #counts = new Map<string, Count>()

  constructor(limit: Limit) {
    this.#limit = limit
  }

  /** Milliseconds until the key may try again; 0 if it may now. */
  waitOf(key: string): number {
    const count = this.#current(key)
    return count && count.used >= this.#limit.most ? count.endsAt - Date.now() : 0
  }

  add(key: string): void {
    const count = this.#current(key)
    if (count) count.used += 1
    else this.#start(key)
  }

  #current(key: string): Count | undefined {
    const count = this.#counts.get(key)
    if (count && count.endsAt > Date.now()) return count
    this.#counts.delete(key)
    return undefined
  }

  #start(key: string): void {
    if (this.#counts.size >= MOST_KEYS) {
      const [oldest = ''] = this.#counts.keys()
      this.#counts.delete(oldest)
    }
    this.#counts.set(key, { used: 1, endsAt: Date.now() + this.#limit.window })
  }
}
