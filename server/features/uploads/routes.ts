import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodePath, type FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { conditionsOf, WRITE_HEADERS } from '../../responses/write-conditions.ts'
import { callerOf, clientGone, queryOf, type Route, rawBody, remark, sendStatus, target } from '../../routing/route.ts'
import { announcedChecksum, CHECKSUMS, parseChecksum } from './checksum.ts'
import type { NewUpload, Piece, UploadState, Uploads } from './uploads.ts'

const VERSION = '1.0.0'
const EXTENSIONS = 'creation,creation-with-upload,expiration,checksum,termination'
const PIECE_TYPE = 'application/offset+octet-stream'
/** What the description tells of headers. */
const TUS = { 'Tus-Resumable': 'The version of the protocol.' }
const VERSIONED = { 'Tus-Resumable': `${VERSION}, if it is told at all.` }
const STATE = {
  ...TUS,
  'Upload-Offset': 'Bytes that are there.',
  'Upload-Expires': 'When an unfinished upload is dropped.',
}
const BUSY = { text: 'Too many unfinished uploads.', headers: { 'Retry-After': 'Seconds to wait.' } }
/** Seconds after which one with too many unfinished uploads may ask again. */
const RETRY_AFTER = 60

export interface UploadRoutesDeps {
  uploads: Uploads
  config: { baseURL: string }
}

/** Resumable uploads (contract section 4), with the headers of tus 1.0. */
export function uploadRoutes(deps: UploadRoutesDeps): Route[] {
  const { uploads } = deps
  const route = { path: '/api/tus/*', access: 'user' } as const
  return [
    {
      ...route,
      method: ['OPTIONS'],
      records: 'nothing',
      describes: {
        summary: 'Ask what this server knows of resumable uploads',
        answers: {
          204: {
            text: 'In the headers.',
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
        query: { override: '`true` replaces a file that is there.' },
        headers: {
          ...VERSIONED,
          'Upload-Length': 'Bytes of the whole file.',
          'Upload-Metadata': '`checksum` and, in base64, what `Upload-Checksum` would say of the whole file.',
          ...WRITE_HEADERS,
        },
        takes: PIECE_TYPE,
        answers: { 201: { text: 'Begun.', headers: { ...STATE, Location: 'Where the pieces go.' } }, 429: BUSY },
        refuses: [409, 412, 413, 460, 507],
      },
      async handler(request, reply) {
        const path = begin(request, reply)
        const { user } = callerOf(request)
        const wanted = newUpload(request)
        await uploads.demand(user, path, wanted).catch(refuseFolder)
        const length = parseLength(request.headers['upload-length'])
        const created = await creating(reply, () => uploads.create(user, path, length, wanted))
        const bringsPiece = length > 0 && request.headers['content-type'] === PIECE_TYPE
        const state = bringsPiece ? await uploads.append(user, path, pieceOf(request, reply, 0)) : created
        remark(request, { action: recordOf(state) })
        tell(reply, state).header('Location', `${deps.config.baseURL}/api/tus${encodePath(path)}`)
        return sendStatus(reply, 201)
      },
    },
    {
      ...route,
      method: ['GET', 'HEAD'],
      describes: {
        summary: 'Tell how far a resumable upload has come',
        headers: VERSIONED,
        answers: {
          200: { text: 'In the headers.', headers: { ...STATE, 'Upload-Length': 'Bytes of the whole file.' } },
        },
        refuses: [412],
      },
      async handler(request, reply) {
        const path = begin(request, reply)
        reply.header('Cache-Control', 'no-store')
        const state = await uploads.state(callerOf(request).user, path)
        remark(request, { action: recordOf(state) })
        tell(reply, state).header('Upload-Length', state.length)
        return sendStatus(reply, 200)
      },
    },
    {
      ...route,
      method: 'PATCH',
      records: 'upload',
      body: 'raw',
      describes: {
        summary: 'Send the next piece of a resumable upload',
        headers: {
          ...VERSIONED,
          'Upload-Offset': 'Bytes that are there already.',
          'Upload-Checksum': 'An algorithm, and the digest of the piece in base64.',
          'Upload-Checksum-Blocks':
            'Bytes. `Upload-Checksum` then has the digest of each block of so many, one after the other, and what came of a piece that breaks off is kept by the block; without this, nothing of it is.',
        },
        takes: PIECE_TYPE,
        answers: { 204: { text: 'The piece is kept.', headers: STATE }, 409: { text: 'Not the right offset.' } },
        refuses: [412, 413, 415, 460, 507],
      },
      async handler(request, reply) {
        const path = begin(request, reply)
        const { user } = callerOf(request)
        await uploads.permit(user, path)
        if (request.headers['content-type'] !== PIECE_TYPE) throw new AppError('wrong_media_type')
        const offset = parseNumber(request.headers['upload-offset'])
        if (offset === undefined) throw new AppError('bad_request', 'invalid upload offset')
        const state = await uploads.append(user, path, pieceOf(request, reply, offset))
        remark(request, { action: recordOf(state) })
        return tell(reply, state).code(204).send()
      },
    },
    {
      ...route,
      method: 'DELETE',
      records: 'nothing',
      describes: {
        summary: 'Give a resumable upload up',
        headers: VERSIONED,
        answers: { 204: { text: 'It is gone.' } },
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

/** The path of an upload. @throws AppError `precondition_failed` for a version of the protocol that is not ours */
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

function tell(reply: FastifyReply, { offset, expiresAt }: UploadState): FastifyReply {
  reply.header('Upload-Offset', offset)
  return expiresAt === undefined ? reply : reply.header('Upload-Expires', new Date(expiresAt).toUTCString())
}

/** A file is there when nothing expires any more; pieces are not told of. */
const recordOf = ({ expiresAt }: UploadState) => (expiresAt === undefined ? 'upload' : 'nothing')

function newUpload(request: FastifyRequest): NewUpload {
  const metadata = request.headers['upload-metadata']
  const checksum = announcedChecksum(Array.isArray(metadata) ? metadata.join() : metadata)
  return {
    override: queryOf(request, 'override') === 'true',
    ...conditionsOf(request),
    ...(checksum === undefined ? {} : { checksum }),
  }
}

function refuseFolder(thrown: unknown): never {
  if (thrown instanceof AppError && thrown.code === 'is_a_folder') {
    throw new AppError('bad_request', 'cannot upload to a directory')
  }
  throw thrown
}

async function creating<T>(reply: FastifyReply, create: () => Promise<T>): Promise<T> {
  try {
    return await create()
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'too_many_attempts') reply.header('Retry-After', RETRY_AFTER)
    throw thrown
  }
}

/** @throws AppError `bad_request` */
function parseLength(header: string | string[] | undefined): number {
  const length = parseNumber(header)
  if (length === undefined) throw new AppError('bad_request', 'invalid upload length')
  return length
}

/** Digits and nothing else, as many as a number can hold exactly; a header that came twice is none. */
function parseNumber(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || !/^\d{1,16}$/.test(header)) return undefined
  const value = Number(header)
  return Number.isSafeInteger(value) ? value : undefined
}

function pieceOf(request: FastifyRequest, reply: FastifyReply, offset: number): Piece {
  const { stream, length } = rawBody(request)
  const { 'upload-checksum': sums, 'upload-checksum-blocks': blocks } = request.headers
  const check = parseChecksum(sums?.toString(), blocks?.toString())
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
