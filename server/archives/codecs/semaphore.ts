/** Turns at something of which only so much may go on at a time; whoever comes too late waits. */
export class Turns {
  #free: number
  readonly #waiting: Array<() => void> = []

  constructor(most: number) {
    this.#free = most
  }

  /**
   * Waits for a turn.
   * @returns gives it back; to be called once
   * @throws the signal's reason when it fires before
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#turn(signal)
    return () => {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }

  /** Whoever gives a turn back hands it over to the next. */
  #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(take), 1)
      reject(signal.reason)
    }
    const take = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    this.#waiting.push(take)
    signal.addEventListener('abort', leave, { once: true })
    return promise
  }
}

/** Streams that are unpacked at a time on threads of their own, for those who wait for an answer. */
export const TURNS_OF_READERS = new Turns(2)
/** The same for jobs, which may take hours. */
export const TURNS_OF_JOBS = new Turns(2)
