import { callerOf, clientGone, type Route } from '../../route.ts'
import { openStream, type StreamDeps } from './stream.ts'

/** What happens while somebody looks: one stream for the whole interface. */
export function eventRoutes(deps: StreamDeps): Route[] {
  const streams = new Map<number, number>()
  return [
    {
      method: 'GET',
      path: '/api/events',
      access: 'user',
      describes: {
        summary: 'Be told of what happens to the caller’s jobs (server-sent events)',
        answers: {
          200: {
            text: '`job` with a job as in `/api/jobs`, `gone` with the id of one that is no longer told of.',
            type: 'text/event-stream',
          },
        },
        refuses: [429],
      },
      async handler(request, reply) {
        const body = openStream(deps, streams, callerOf(request), clientGone(request, reply))
        // Proxies that collect answers before they pass them on would keep all of it.
        reply.headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
        return reply.type('text/event-stream; charset=utf-8').send(body)
      },
    },
  ]
}
