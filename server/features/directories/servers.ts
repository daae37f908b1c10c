import { LIMITS } from '../../limits.ts'
import { DirectoryError } from './directory-error.ts'
import type { DirectoryServer } from './directory-settings.ts'

/** The servers of a directory, and which of them failed lately. */
export class Servers {
  readonly #servers: readonly DirectoryServer[]
  readonly #failedAt = new Map<DirectoryServer, number>()

  constructor(servers: readonly DirectoryServer[]) {
    this.#servers = servers
  }

  /**
   * Asks one server after the other until one answers; one that failed lately comes last.
   * @param ask with the signal that ends it
   * @param limits for all servers together, and for each of them but the last
   * @throws DirectoryError the answer of a server, or `away`
   */
  async ask<T>(
    ask: (server: DirectoryServer, signal: AbortSignal) => Promise<T>,
    limits: { all: number; each: number },
  ): Promise<T> {
    const whole = AbortSignal.timeout(limits.all)
    const order = this.#inOrder()
    let last: unknown
    for (const [index, server] of order.entries()) {
      const isLast = index === order.length - 1
      const signal = isLast ? whole : AbortSignal.any([whole, AbortSignal.timeout(limits.each)])
      try {
        const answer = await ask(server, signal)
        this.#failedAt.delete(server)
        return answer
      } catch (error) {
        if (!(error instanceof DirectoryError) || error.fault !== 'away') throw error
        this.#failedAt.set(server, Date.now())
        last = error
        if (whole.aborted) break
      }
    }
    throw last
  }

  #inOrder(): DirectoryServer[] {
    const since = Date.now() - LIMITS.directoryPause
    const hasFailed = (server: DirectoryServer) => (this.#failedAt.get(server) ?? 0) > since
    return [...this.#servers.filter(server => !hasFailed(server)), ...this.#servers.filter(hasFailed)]
  }
}
