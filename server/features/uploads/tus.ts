import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { clientGone, type Remark, rawBody } from '../../routing/route.ts'
import { parseChecksum } from './checksum.ts'
import type { Chunk, UploadState } from './uploads.ts'

/** The protocol of resumable uploads: tus 1.0 (http-api 4). */
export const VERSION = '1.0.0'
export const CHUNK_TYPE = 'application/offset+octet-stream'
/** Seconds after which a client with too many unfinished uploads may retry. */
const RETRY_AFTER = 60

/** Descriptions of headers. */
export const TUS = { 'Tus-Resumable': 'The version of the protocol.' }
export const VERSIONED = { 'Tus-Resumable': `${VERSION}, if sent at all.` }
export const STATE = {
  ...TUS,
  'Upload-Offset': 'Bytes received so far.',
  'Upload-Expires': 'When an unfinished upload expires.',
}
/** Request headers of a chunk. */
export const CHUNK_HEADERS = {
  ...VERSIONED,
  'Upload-Offset': 'Bytes received so far.',
  'Upload-Checksum': 'An algorithm, and the digest of the chunk in base64.',
  'Upload-Checksum-Blocks':
    'Bytes of a block. `Upload-Checksum` then has the digest of each block, one after the other, and the complete blocks of an interrupted chunk are kept; without this header, nothing of it is.',
}
export const BUSY = { text: 'Too many unfinished uploads.', headers: { 'Retry-After': 'Seconds to wait.' } }

export const announce = (reply: FastifyReply): FastifyReply => reply.header('Tus-Resumable', VERSION)

/** Announces the version. @throws AppError `precondition_failed` for an unsupported one of the client */
export function demandVersion(request: FastifyRequest, reply: FastifyReply): void {
  announce(reply)
  const version = request.headers['tus-resumable']
  if (version === undefined || version === VERSION) return
  reply.header('Tus-Version', VERSION)
  throw new AppError('precondition_failed')
}

export function setUploadHeaders(reply: FastifyReply, { offset, expiresAt, kept }: UploadState): FastifyReply {
  reply.header('Upload-Offset', offset)
  if (kept !== undefined) reply.header('X-Kept', kept)
  return expiresAt === undefined ? reply : reply.header('Upload-Expires', new Date(expiresAt).toUTCString())
}

/** An upload without an expiry is complete; chunks are not recorded. */
export const recordOf = ({ expiresAt, length }: UploadState): Remark =>
  expiresAt === undefined ? { action: 'upload', facts: { size: length } } : { action: 'nothing' }

/** What prevents an upload from beginning, as its client is to learn it. */
export const refusal = (reply: FastifyReply) => (thrown: unknown) => {
  if (!(thrown instanceof AppError)) throw thrown
  if (thrown.code === 'is_a_folder') throw new AppError('bad_request', 'cannot upload to a directory')
  if (thrown.code === 'too_many_attempts') reply.header('Retry-After', RETRY_AFTER)
  throw thrown
}

/** Digits only, in the range of exact integers; a repeated header is invalid. */
export function parseNumber(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || !/^\d{1,16}$/.test(header)) return undefined
  const value = Number(header)
  return Number.isSafeInteger(value) ? value : undefined
}

export function chunkOf(request: FastifyRequest, reply: FastifyReply, offset: number): Chunk {
  const { stream, length } = rawBody(request)
  const { 'upload-checksum': digests, 'upload-checksum-blocks': blocks } = request.headers
  const check = parseChecksum(digests?.toString(), blocks?.toString())
  const { socket } = request.raw
  return {
    offset,
    body: stream,
    signal: clientGone(request, reply),
    received: () => socket.bytesRead,
    ...(length === undefined ? {} : { length }),
    ...(check ? { check } : {}),
  }
}

/** The chunk that a request sends at the offset it names. @throws AppError `wrong_media_type`, `bad_request` */
export function chunkAt(request: FastifyRequest, reply: FastifyReply): Chunk {
  if (request.headers['content-type'] !== CHUNK_TYPE) throw new AppError('wrong_media_type')
  const offset = parseNumber(request.headers['upload-offset'])
  if (offset === undefined) throw new AppError('bad_request', 'invalid upload offset')
  return chunkOf(request, reply, offset)
}
