import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodePath, type FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { CHECKSUMS } from '../../files/content-checksum.ts'
import { conditionsOf, WRITE_HEADERS } from '../../responses/conditions.ts'
import { callerOf, queryOf, type Route, remark, sendStatus, target } from '../../routing/route.ts'
import { announcedChecksum } from './checksum.ts'
import {
  announce,
  BUSY,
  CHUNK_HEADERS,
  CHUNK_TYPE,
  chunkAt,
  chunkOf,
  demandVersion,
  parseNumber,
  recordOf,
  refusal,
  STATE,
  setUploadHeaders,
  TUS,
  VERSION,
  VERSIONED,
} from './tus.ts'
import type { NewUpload, Uploads } from './uploads.ts'

const EXTENSIONS = 'creation,creation-with-upload,expiration,checksum,termination'

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
        const state = hasChunk ? await uploads.append({ user, path }, () => chunkOf(request, reply, 0)) : created
        remark(request, recordOf(state))
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
        const state = await uploads.state({ user: callerOf(request).user, path })
        remark(request, recordOf(state))
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
        headers: CHUNK_HEADERS,
        takes: CHUNK_TYPE,
        answers: { 204: { text: 'The chunk is stored.', headers: STATE }, 409: { text: 'The offset does not match.' } },
        refuses: [412, 413, 415, 460, 507],
      },
      async handler(request, reply) {
        const path = begin(request, reply)
        const { user } = callerOf(request)
        const state = await uploads.append({ user, path }, () => chunkAt(request, reply))
        remark(request, recordOf(state))
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
        await uploads.cancel({ user: callerOf(request).user, path: begin(request, reply) })
        return reply.code(204).send()
      },
    },
  ]
}

/** The path of an upload. @throws AppError `precondition_failed` for an unsupported version of the protocol */
function begin(request: FastifyRequest, reply: FastifyReply): FilePath {
  demandVersion(request, reply)
  const { path, folder } = target(request)
  if (folder) throw new AppError('bad_request', 'cannot upload to a directory')
  return path
}

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
