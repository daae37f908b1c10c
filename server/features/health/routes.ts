import type { Route } from '../../route.ts'

/** Whether the process answers (contract section 14). */
export function healthRoutes(): Route[] {
  return [
    {
      method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      path: '/health',
      access: 'public',
      records: 'nothing',
      describes: {
        summary: 'Ask whether the server answers',
        answers: { 200: { text: '`{"status":"OK"}`' } },
      },
      async handler(_request, reply) {
        return reply.type('text/plain; charset=utf-8').send('{"status":"OK"}')
      },
    },
  ]
}
