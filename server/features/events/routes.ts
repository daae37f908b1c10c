import { parsePath } from '../../../shared/path.ts'
import { callerOf, clientGone, queryOf, type Route } from '../../routing/route.ts'
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
        summary: 'Be told of what happens to the caller’s jobs, and in a folder (server-sent events)',
        query: {
          folder: 'A folder whose changes are told, by whomever they are made.',
          seen: 'The time of that folder when it was listed; if it has another one now, that is told first.',
        },
        answers: {
          200: {
            text: '`job` with a job as in `/api/jobs`, `gone` with the id of one that is no longer told of, `folder` with the path of the folder. Ends when the caller’s session ends or other rights are in force.',
            type: 'text/event-stream',
          },
        },
        refuses: [403, 404, 409, 429],
      },
      async handler(request, reply) {
        const asked = queryOf(request, 'folder')
        const folder = asked === undefined ? undefined : { path: parsePath(asked), seen: queryOf(request, 'seen') }
        const gone = clientGone(request, reply)
        const body = await openStream(deps, streams, callerOf(request), gone, folder)
        // Proxies that collect answers before they pass them on would keep all of it.
        reply.headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
        return reply.type('text/event-stream; charset=utf-8').send(body)
      },
    },
  ]
}
