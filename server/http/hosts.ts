import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'

/** Health checks come by any address of the host; their response is the same for every client. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/health', '/health/ready'])

/**
 * Refuses requests for hosts that are not configured, if any are: with DNS rebinding, another site's name resolves to
 * this server, and its pages would read our responses as their own. A trusted proxy may pass the host on.
 */
export function refuseOtherHosts(
  app: FastifyInstance,
  { allowedHosts, contentOrigin }: Pick<Config, 'allowedHosts' | 'contentOrigin'>,
): void {
  if (allowedHosts.length === 0) return
  const allowed = new Set([...allowedHosts, URL.parse(contentOrigin)?.hostname])
  app.addHook('onRequest', async request => {
    if (!allowed.has(nameIn(request)) && !isProbe(request)) throw new AppError('wrong_host')
  })
}

const nameIn = ({ host }: FastifyRequest) => URL.parse(`http://${host}`)?.hostname ?? ''
const isProbe = ({ routeOptions }: FastifyRequest) => PROBES.has(routeOptions.config.route?.path)
