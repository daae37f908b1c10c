import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'

/** Requests that run with a personal API token: they are cut off when it ends, on any server. */
export class TokenRequests {
  readonly #running = new Map<string, Set<FastifyReply>>()

  constructor(cluster: Pick<Context['cluster'], 'subscribe'>) {
    cluster.subscribe('token.ended', ({ id }) => {
      for (const reply of this.#running.get(id) ?? []) reply.raw.destroy()
    })
  }

  /** Cuts a request off when the token ends before the response is sent. */
  add(tokenId: string, reply: FastifyReply): void {
    const own = this.#running.get(tokenId) ?? new Set()
    this.#running.set(tokenId, own.add(reply))
    reply.raw.once('close', () => {
      own.delete(reply)
      if (own.size === 0 && this.#running.get(tokenId) === own) this.#running.delete(tokenId)
    })
  }
}
