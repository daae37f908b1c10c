import type { Route } from '../../route.ts'

/** Whether the process answers (contract section 14). */
export function healthRoutes(): Route[] {
  return [
    {
      method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      path: '/health',
      access: 'public',
      async handler(_request, reply) {
        return reply.type('text/plain; charset=utf-8').send('{"status":"OK"}')
      },
    },
  ]
}
