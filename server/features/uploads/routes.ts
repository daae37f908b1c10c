import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodePath, type FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { conditionsOf, WRITE_HEADERS } from '../../responses/conditions.ts'
import { callerOf, clientGone, queryOf, type Route, rawBody, remark, sendStatus, target } from '../../routing/route.ts'
import { announcedChecksum, CHECKSUMS, parseChecksum } from './checksum.ts'
import type { Chunk, NewUpload, UploadState, Uploads } from './uploads.ts'

const VERSION = '1.0.0'
const EXTENSIONS = 'creation,creation-with-upload,expiration,checksum,termination'
const CHUNK_TYPE = 'application/offset+octet-stream'
/** Descriptions of headers. */
const TUS = { 'Tus-Resumable': 'The version of the protocol.' }
const VERSIONED = { 'Tus-Resumable': `${VERSION}, if sent at all.` }
const STATE = {
  ...TUS,
  'Upload-Offset': 'Bytes received so far.',
  'Upload-Expires': 'When an unfinished upload expires.',
}
const BUSY = { text: 'Too many unfinished uploads.', headers: { 'Retry-After': 'Seconds to wait.' } }
/** Seconds after which a client with too many unfinished uploads may retry. */
const RETRY_AFTER = 60

export interface UploadRoutesDeps {
  uploads: Uploads
  config: { baseURL: string }
}

/** Resumable uploads (http-api 4), with the headers of tus 1.0. */
export function uploadRoutes(deps: UploadRoutesDeps): Route[] {
  const { uploads } = deps
  const route = { path: '/api/tus/*', access: 'user', token: 'write' } as const
  return [
    {
      ...route,
      method: ['OPTIONS'],
      records: 'nothing',
      describes: {
        summary: 'Get the capabilities of resumable uploads',
        answers: {
          204: {
            text: 'See the headers.',
            headers: {
              ...TUS,
              'Tus-Version': VERSION,
              'Tus-Extension': EXTENSIONS,
              'Tus-Checksum-Algorithm': CHECKSUMS.join(','),
            },
          },
        },
      },
      async handler(_request, reply) {
        const algorithms = CHECKSUMS.join(',')
        reply.headers({ 'Tus-Version': VERSION, 'Tus-Extension': EXTENSIONS, 'Tus-Checksum-Algorithm': algorithms })
        return announce(reply).code(204).send()
      },
    },
    {
      ...route,
      method: 'POST',
      records: 'upload',
      body: 'raw',
      describes: {
        summary: 'Begin a resumable upload (tus 1.0)',
        query: { override: { text: '`true` replaces an existing file.', type: 'boolean' } },
        headers: {
          ...VERSIONED,
          'Upload-Length': 'Size of the whole file in bytes.',
          'Upload-Metadata': '`checksum` and, in base64, the `Upload-Checksum` of the whole file.',
          ...WRITE_HEADERS,
        },
        takes: CHUNK_TYPE,
        answers: { 201: { text: 'Begun.', headers: { ...STATE, Location: 'The URL for the chunks.' } }, 429: BUSY },
        refuses: [409, 412, 413, 460, 507],
      },
      async handler(request, reply) {
        const path = begin(request, reply)
        const { user } = callerOf(request)
        const created = await uploads.create(user, path, newUpload(request)).catch(refusal(reply))
        const hasChunk = created.length > 0 && request.headers['content-type'] === CHUNK_TYPE
        const state = hasChunk ? await uploads.append(user, path, () => chunkOf(request, reply, 0)) : created
        remark(request, { action: recordOf(state) })
        setUploadHeaders(reply, state).header('Location', `${deps.config.baseURL}/api/tus${encodePath(path)}`)
        return sendStatus(reply, 201)
      },
    },
    {
      ...route,
      method: ['GET', 'HEAD'],
      describes: {
        summary: 'Get the offset of a resumable upload',
        headers: VERSIONED,
        answers: {
          200: { text: 'See the headers.', headers: { ...STATE, 'Upload-Length': 'Size of the whole file in bytes.' } },
        },
        refuses: [412],
      },
      async handler(request, reply) {
        const path = begin(request, reply)
        reply.header('Cache-Control', 'no-store')
        const state = await uploads.state(callerOf(request).user, path)
        remark(request, { action: recordOf(state) })
        setUploadHeaders(reply, state).header('Upload-Length', state.length)
        return sendStatus(reply, 200)
      },
    },
    {
      ...route,
      method: 'PATCH',
      records: 'upload',
      body: 'raw',
      describes: {
        summary: 'Send the next chunk of a resumable upload',
        headers: {
          ...VERSIONED,
          'Upload-Offset': 'Bytes received so far.',
          'Upload-Checksum': 'An algorithm, and the digest of the chunk in base64.',
          'Upload-Checksum-Blocks':
            'Bytes of a block. `Upload-Checksum` then has the digest of each block, one after the other, and the complete blocks of an interrupted chunk are kept; without this header, nothing of it is.',
        },
        takes: CHUNK_TYPE,
        answers: { 204: { text: 'The chunk is stored.', headers: STATE }, 409: { text: 'The offset does not match.' } },
        refuses: [412, 413, 415, 460, 507],
      },
      async handler(request, reply) {
        const path = begin(request, reply)
        const { user } = callerOf(request)
        const state = await uploads.append(user, path, () => {
          if (request.headers['content-type'] !== CHUNK_TYPE) throw new AppError('wrong_media_type')
          const offset = parseNumber(request.headers['upload-offset'])
          if (offset === undefined) throw new AppError('bad_request', 'invalid upload offset')
          return chunkOf(request, reply, offset)
        })
        remark(request, { action: recordOf(state) })
        return setUploadHeaders(reply, state).code(204).send()
      },
    },
    {
      ...route,
      method: 'DELETE',
      records: 'nothing',
      describes: {
        summary: 'Cancel a resumable upload',
        headers: VERSIONED,
        answers: { 204: { text: 'The upload is deleted.' } },
        refuses: [412],
      },
      async handler(request, reply) {
        await uploads.cancel(callerOf(request).user, begin(request, reply))
        return reply.code(204).send()
      },
    },
  ]
}

const announce = (reply: FastifyReply) => reply.header('Tus-Resumable', VERSION)

/** The path of an upload. @throws AppError `precondition_failed` for an unsupported version of the protocol */
function begin(request: FastifyRequest, reply: FastifyReply): FilePath {
  announce(reply)
  const version = request.headers['tus-resumable']
  if (version !== undefined && version !== VERSION) {
    reply.header('Tus-Version', VERSION)
    throw new AppError('precondition_failed')
  }
  const { path, folder } = target(request)
  if (folder) throw new AppError('bad_request', 'cannot upload to a directory')
  return path
}

function setUploadHeaders(reply: FastifyReply, { offset, expiresAt, kept }: UploadState): FastifyReply {
  reply.header('Upload-Offset', offset)
  if (kept !== undefined) reply.header('X-Kept', kept)
  return expiresAt === undefined ? reply : reply.header('Upload-Expires', new Date(expiresAt).toUTCString())
}

/** An upload without an expiry is complete; chunks are not recorded. */
const recordOf = ({ expiresAt }: UploadState) => (expiresAt === undefined ? 'upload' : 'nothing')

function newUpload(request: FastifyRequest): NewUpload {
  const metadata = request.headers['upload-metadata']
  const length = parseNumber(request.headers['upload-length'])
  const checksum = announcedChecksum(Array.isArray(metadata) ? metadata.join() : metadata)
  return {
    override: queryOf(request, 'override') === 'true',
    ...conditionsOf(request),
    ...(length === undefined ? {} : { length }),
    ...(checksum === undefined ? {} : { checksum }),
  }
}

/** What prevents an upload from beginning, as its client is to learn it. */
const refusal = (reply: FastifyReply) => (thrown: unknown) => {
  if (!(thrown instanceof AppError)) throw thrown
  if (thrown.code === 'is_a_folder') throw new AppError('bad_request', 'cannot upload to a directory')
  if (thrown.code === 'too_many_attempts') reply.header('Retry-After', RETRY_AFTER)
  throw thrown
}

/** Digits only, in the range of exact integers; a repeated header is invalid. */
function parseNumber(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || !/^\d{1,16}$/.test(header)) return undefined
  const value = Number(header)
  return Number.isSafeInteger(value) ? value : undefined
}

function chunkOf(request: FastifyRequest, reply: FastifyReply, offset: number): Chunk {
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
