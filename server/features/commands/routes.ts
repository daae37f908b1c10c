import { AppError } from '../../errors.ts'
import { acceptSocket, callerOf, type Route, target } from '../../routing/route.ts'
import { demandSandbox } from '../../sandbox/sandbox.ts'
import { type CommandDeps, serveCommand } from './command.ts'
import { ConcurrencyQuota } from './concurrency-quota.ts'

export interface CommandRoutesDeps extends CommandDeps {
  config: CommandDeps['config'] & { disableExec: boolean }
}

/** Commands of users (http-api 13). The route exists only where the host enables commands. */
export function commandRoutes(deps: CommandRoutesDeps): Route[] {
  if (deps.config.disableExec) return []
  const quota = new ConcurrencyQuota()
  return [
    {
      method: 'GET',
      path: '/api/command/*',
      access: 'user',
      token: 'none',
      records: 'command',
      queryToken: true,
      describes: {
        summary: 'Run a command in a folder, over a WebSocket',
        answers: {
          101: {
            text: 'One text message carries the command line; the server sends a text message for each line of output. Closed with 1000.',
          },
        },
        refuses: [422, 429, 503],
      },
      async handler(request, reply) {
        const caller = callerOf(request)
        if (!caller.user.perm.execute) throw new AppError('forbidden')
        demandSandbox(deps.programs.sandbox)
        const { path: folder } = target(request)
        const leave = quota.take(caller.user.id)
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
