import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { type AddressConfig, publicAddress } from '../../routing/public-address.ts'
import type { Site } from './webauthn.ts'

/**
 * The site of a request for passkeys: of the public address if the host names one, else of the request. The base URL
 * does not matter.
 * @returns `undefined` where browsers refuse passkeys: at an IP address, and without HTTPS except on this machine
 */
export function siteOf(request: FastifyRequest, config: AddressConfig): Site | undefined {
  const { origin, hostname, protocol } = new URL(publicAddress(request, config))
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname) > 0 || hostname.startsWith('[') || (protocol !== 'https:' && !isLocal)) return undefined
  return { rpId: hostname, origin }
}
