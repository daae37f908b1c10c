import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'

/** What a service manager asks by whatever address it knows; the answer is the same for everybody. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/health', '/health/ready'])

/**
 * Refuses requests under names that the host does not have, where it said which it has: a page of somebody else whose
 * name was made to lead here (DNS rebinding) has our answers for its own otherwise. The name may come by a trusted proxy.
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
