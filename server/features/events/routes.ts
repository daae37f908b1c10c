import { parsePath } from '../../../shared/path.ts'
import { callerOf, clientGone, queryOf, type Route } from '../../routing/route.ts'
import { openStream, type StreamDeps } from './stream.ts'

/** Live updates: one event stream for the whole interface. */
export function eventRoutes(deps: StreamDeps): Route[] {
  const streams = new Map<number, number>()
  return [
    {
      method: 'GET',
      path: '/api/events',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'Stream events about the caller’s jobs and about a folder (server-sent events)',
        query: {
          folder: 'A folder whose changes are announced, by any client or program.',
          changes: {
            text: '`true` also announces changes of other users, as far as the caller may see them.',
            type: 'boolean',
          },
          seen: 'The modification time of that folder in the listing; if it has changed since, that is announced first.',
        },
        answers: {
          200: {
            text: '`job` with a job as in `/api/jobs`, `gone` with the id of a deleted job, `change` with the id of a change, `trash` when the caller’s trash may have changed, `folder` with the path of the folder, `lock` with it when something in it was locked or unlocked, `remarks` with it when a note or a comment in it was made, changed or removed, `factors` when a second factor may be required of the caller, or no longer, `places` when what others share with the caller, or the folders of other roots that the caller has, may have changed, `quota` when quotas were changed. Ends when the caller’s session ends or the rights change.',
            type: 'text/event-stream',
          },
        },
        refuses: [403, 404, 409, 429],
      },
      async handler(request, reply) {
        const asked = queryOf(request, 'folder')
        const folder = asked === undefined ? undefined : { path: parsePath(asked), seen: queryOf(request, 'seen') }
        const gone = clientGone(request, reply)
        const others = queryOf(request, 'changes') === 'true'
        const body = await openStream(deps, streams, callerOf(request), gone, { folder, others })
        // Buffering proxies would hold the stream back.
        reply.headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
        return reply.type('text/event-stream; charset=utf-8').send(body)
      },
    },
  ]
}
