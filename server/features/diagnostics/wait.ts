import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { clientGone, queryOf } from '../../routing/route.ts'

const SECOND = 1000
let waiting = 0

/**
 * Answers slowly: after so many seconds of silence, or with a byte each second. Stops when the client disconnects.
 * @throws AppError `bad_request`, `too_many_attempts`
 */
export async function answerSlowly(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const seconds = secondsIn(request)
  const gone = clientGone(request, reply)
  const signs = signsOf(seconds, gone)
  reply.type('text/plain; charset=utf-8')
  if (queryOf(request, 'trickle') === 'true') return reply.send(Readable.from(signs, { objectMode: false }))
  return reply.send((await Array.fromAsync(signs)).join(''))
}

function secondsIn(request: FastifyRequest): number {
  const seconds = Number(queryOf(request, 'seconds'))
  if (Number.isInteger(seconds) && seconds > 0 && seconds * SECOND <= LIMITS.slowAnswer) return seconds
  throw new AppError('bad_request', `seconds: must be a number from 1 to ${LIMITS.slowAnswer / SECOND}`)
}

async function* signsOf(seconds: number, gone: AbortSignal): AsyncGenerator<string> {
  if (waiting >= LIMITS.slowAnswers) throw new AppError('too_many_attempts')
  waiting += 1
  try {
    for (let left = seconds; left > 0; left -= 1) {
      yield '.'
      await wait(SECOND, undefined, { signal: gone }).catch(() => gone.throwIfAborted())
    }
  } finally {
    waiting -= 1
  }
}
