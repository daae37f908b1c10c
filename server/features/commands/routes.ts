import { AppError } from '../../errors.ts'
import { acceptSocket, callerOf, type Route, target } from '../../routing/route.ts'
import { demandSandbox } from '../../sandbox/sandbox.ts'
import { type CommandDeps, serveCommand } from './command.ts'
import { Seats } from './concurrency-quota.ts'

export interface CommandRoutesDeps extends CommandDeps {
  config: CommandDeps['config'] & { disableExec: boolean }
}

/** Commands of users (http-api 13). There is no such route unless the host allows programs to be run. */
export function commandRoutes(deps: CommandRoutesDeps): Route[] {
  if (deps.config.disableExec) return []
  const seats = new Seats()
  return [
    {
      method: 'GET',
      path: '/api/command/*',
      access: 'user',
      records: 'command',
      queryToken: true,
      describes: {
        summary: 'Run a command in a folder, over a WebSocket',
        answers: {
          101: {
            text: 'One text message takes the command line; a text message comes for each line it writes. Closed with 1000.',
          },
        },
        refuses: [422, 429, 503],
      },
      async handler(request, reply) {
        const caller = callerOf(request)
        if (!caller.user.perm.execute) throw new AppError('forbidden')
        demandSandbox(deps.programs.sandbox)
        const { path: folder } = target(request)
        const leave = seats.take(caller.user.id)
        try {
          const socket = await acceptSocket(request, reply)
          if (socket) await serveCommand(deps, socket, { caller, folder, address: request.ip, log: request.log })
        } finally {
          leave()
        }
        return reply
      },
    },
  ]
}
