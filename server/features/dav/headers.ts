import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { WriteRequest } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import { conditionsOf, etagOf, namesVersion } from '../../responses/conditions.ts'
import { announcedDigests } from './digests.ts'

/** `X-OC-Mtime`: seconds since the epoch, with decimals or without. */
const TIME = /^\d{1,10}(?:\.\d{1,9})?$/
const LENGTH = /^\d{1,15}$/

export type Depth = 0 | 1 | 'infinity'

/** The header `Depth` (RFC 4918, 10.2). @throws AppError `bad_request` */
export function depthOf({ headers }: FastifyRequest): Depth | undefined {
  const { depth } = headers
  if (depth === undefined) return undefined
  const text = String(depth)
    .toLowerCase()
    .replace(/,noroot$/, '')
  if (text === '0') return 0
  if (text === '1') return 1
  if (text === 'infinity') return 'infinity'
  throw new AppError('bad_request', 'depth: must be 0, 1 or infinity')
}

/**
 * Refuses a PUT whose conditions do not hold (RFC 9110, 13.1). What is no entity tag matches nothing.
 * @throws AppError `precondition_failed`
 */
export function demandConditions({ headers }: FastifyRequest, standing: Entry | undefined): void {
  const etag = standing && etagOf(standing.version)
  const match = headers['if-match']
  if (match !== undefined && (etag === undefined || !namesVersion(match, etag)))
    throw new AppError('precondition_failed')
  const none = headers['if-none-match']
  if (none !== undefined && etag !== undefined && namesVersion(none, etag)) throw new AppError('precondition_failed')
}

/** What the headers of a PUT say about the file. @throws AppError `bad_request` */
export function writeRequestOf(request: FastifyRequest, standing: Entry | undefined): Omit<WriteRequest, 'override'> {
  const { headers } = request
  const { ifMatch: _, ...conditions } = conditionsOf(request)
  const modified = headers['x-oc-mtime']
  if (modified !== undefined && !TIME.test(String(modified)))
    throw new AppError('bad_request', 'x-oc-mtime: must be seconds since the epoch')
  const length = lengthOf(request)
  const check = announcedDigests(headers)
  return {
    ...conditions,
    // What was compared is what may be replaced.
    ...(headers['if-match'] !== undefined && standing && { ifMatch: standing.version }),
    ...(modified !== undefined && { modified: Math.round(Number(modified) * 1000) }),
    ...(length !== undefined && { length }),
    ...(check && { check }),
  }
}

/** The announced length: that of a chunked body is in a header of the Finder. @throws AppError `bad_request` */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'] ?? headers['x-expected-entity-length']
  if (length === undefined) return undefined
  if (!LENGTH.test(String(length))) throw new AppError('bad_request', 'invalid length')
  return Number(length)
}
