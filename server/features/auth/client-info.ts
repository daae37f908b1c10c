import type { FastifyRequest } from 'fastify'
import type { Device } from './sessions.store.ts'

/** Characters of a `User-Agent` that are kept. */
const LONGEST_AGENT = 256

/** Where a request comes from, for the list of sessions. */
export const deviceOf = ({ ip, headers }: FastifyRequest): Device => ({
  address: ip,
  agent: (headers['user-agent'] ?? '').slice(0, LONGEST_AGENT),
})
