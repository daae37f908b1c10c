import { AppError } from '../../errors.ts'
import type { Route } from '../../routing/route.ts'

interface Deps {
  /** Aborted when the server stops. */
  stopping: AbortController
}

const ALIVE = '{"status":"OK"}'

/** Liveness (http-api 14) and readiness. Neither touches a disk. */
export function healthRoutes({ stopping }: Deps): Route[] {
  return [
    {
      method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      path: '/health',
      access: 'public',
      records: 'nothing',
      describes: {
        summary: 'Check liveness',
        answers: { 200: { text: `\`${ALIVE}\`` } },
      },
      async handler(_request, reply) {
        return reply.type('text/plain; charset=utf-8').send(ALIVE)
      },
    },
    {
      method: 'GET',
      path: '/health/ready',
      access: 'public',
      describes: {
        summary: 'Check readiness; a server that is shutting down is not ready',
        answers: { 200: { text: `\`${ALIVE}\`` } },
        refuses: [503],
      },
      async handler(_request, reply) {
        if (stopping.signal.aborted) throw new AppError('unavailable', 'the server is shutting down')
        return reply.type('text/plain; charset=utf-8').send(ALIVE)
      },
    },
  ]
}
