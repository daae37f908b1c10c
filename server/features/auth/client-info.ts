import type { FastifyRequest } from 'fastify'
import type { Device } from './sessions.store.ts'

/** The most characters kept of a `User-Agent`. */
const LONGEST_AGENT = 256

/** The client of a request, for the list of sessions. */
export const deviceOf = ({ ip, headers }: FastifyRequest): Device => ({
  address: ip,
  agent: (headers['user-agent'] ?? '').slice(0, LONGEST_AGENT),
})
