/** The order of what runs for a while and can be asked for again meanwhile. Each act resolves to whether it succeeded. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()
  #failures = 0

  /** Runs at once; what is queued from now on waits for it. Rejects as the act does. */
  now(act: () => Promise<boolean>): Promise<void> {
    const run = this.#watched(act)
    this.#last = Promise.allSettled([this.#last, run])
    return run
  }

  /** Runs after everything before it; not at all if any of that fails meanwhile. Rejects as the act does. */
  queue(act: () => Promise<boolean>): Promise<void> {
    const known = this.#failures
    const run = this.#last.then(() => (known === this.#failures ? this.#watched(act) : undefined))
    this.#last = run.catch(() => undefined)
    return run
  }

  async #watched(act: () => Promise<boolean>): Promise<void> {
    let isDone = false
    try {
      isDone = await act()
    } finally {
      if (!isDone) this.#failures += 1
    }
  }
}
