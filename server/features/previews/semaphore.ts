import { AppError } from '../../errors.ts'

/** A few turns at a time; whoever finds none free waits in order of arrival. */
export class Turns {
  readonly #longest: number
  readonly #waiting = new Set<PromiseWithResolvers<void>>()
  #free: number

  /**
   * @param atOnce turns there are
   * @param longest how many may wait
   */
  constructor(atOnce: number, longest: number) {
    this.#free = atOnce
    this.#longest = longest
  }

  /**
   * Acts when there is a turn.
   * @param signal gives up waiting (never interrupts `act`) and rejects with its reason
   * @throws AppError `unavailable` when too many wait already
   */
  async take<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#wait(signal)
    try {
      return await act()
    } finally {
      this.#pass()
    }
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.#longest) throw new AppError('unavailable')
    const turn = Promise.withResolvers<void>()
    const leave = () => {
      this.#waiting.delete(turn)
      turn.reject(signal?.reason)
    }
    this.#waiting.add(turn)
    signal?.addEventListener('abort', leave, { once: true })
    await turn.promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  #pass(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next.resolve()
  }
}
