import { AppError } from '../../errors.ts'
import type { Route } from '../../routing/route.ts'

interface Deps {
  /** Aborted when the server stops. */
  stopping: AbortController
}

const ALIVE = '{"status":"OK"}'

/** Whether the process answers (contract section 14), and whether it takes work. Neither touches a disk. */
export function healthRoutes({ stopping }: Deps): Route[] {
  return [
    {
      method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      path: '/health',
      access: 'public',
      records: 'nothing',
      describes: {
        summary: 'Ask whether the server answers',
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
        summary: 'Ask whether the server takes requests; one that stops does not',
        answers: { 200: { text: `\`${ALIVE}\`` } },
        refuses: [503],
      },
      async handler(_request, reply) {
        if (stopping.signal.aborted) throw new AppError('unavailable', 'the server stops')
        return reply.type('text/plain; charset=utf-8').send(ALIVE)
      },
    },
  ]
}
