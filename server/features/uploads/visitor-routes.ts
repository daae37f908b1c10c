import type { FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { conditionsOf, WRITE_HEADERS } from '../../responses/conditions.ts'
import { queryOf, type Route, remark, sendStatus } from '../../routing/route.ts'
import { announcedChecksum, metadataOf } from './checksum.ts'
import {
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
  VERSIONED,
} from './tus.ts'
import type { Delivery, UploadTools } from './upload-key.ts'
import type { NewUpload, UploadState, Uploads } from './uploads.ts'

/** A link whose visitors deliver files or edit a folder, as one of them has opened it. */
interface OpenedInbox {
  user: User
  link: string
  tools: UploadTools
  /** Segments of the request's path below the link. */
  rest: readonly string[]
  /** Its visitors may replace files. */
  isEdited: boolean
}

/** See `openInboxes` of the share links. */
export interface Inboxes<Inbox extends OpenedInbox> {
  open(request: FastifyRequest): Promise<Inbox>
  hold(
    request: FastifyRequest,
    inbox: Inbox,
    announced: { bytes: number; sender: string; note: string },
  ): Promise<{ id: string; path: FilePath }>
  demand(inbox: Inbox, id: string): Promise<void>
  sizeOfArrived(inbox: Inbox, id: string): Promise<number | undefined>
  arrived(request: FastifyRequest, inbox: Inbox, id: string, at?: FilePath): Promise<void>
  gone(id: string): Promise<void>
}

export interface VisitorRoutesDeps<Inbox extends OpenedInbox> {
  uploads: Uploads
  inboxes: Inboxes<Inbox>
  config: { baseURL: string }
}

/** Separates the name of a link from the id of an upload. */
const MARK = '-'
const LINK = {
  query: { token: 'The token that a response to the right password contained.' },
  headers: {
    'X-SHARE-PASSWORD': 'The password of the link, percent-encoded.',
    'X-Share-Ticket': 'The token, instead of the one in the address.',
    'X-Sender': 'The name of the visitor of a link to edit, percent-encoded.',
  },
}
const LOCKED = {
  401: { text: 'The link has a password, and it was wrong or missing.' },
  429: { ...BUSY, text: 'Too many unfinished uploads, wrong links or passwords.' },
}
const UPLOAD_PATH = 'The name of the link, `/-/` and the id of the upload.'

/** Uploads of visitors through a file request or a link to edit (http-api 10.3, 10.4), with the headers of tus 1.0. */
export function visitorUploadRoutes<Inbox extends OpenedInbox>(deps: VisitorRoutesDeps<Inbox>): Route[] {
  const { uploads, inboxes } = deps
  const route = { path: '/api/public/tus/*', access: 'public' } as const
  const opened = async (request: FastifyRequest, reply: FastifyReply) => {
    demandVersion(request, reply)
    const inbox = await inboxes.open(request)
    return { inbox, delivery: deliveryOf(inbox) }
  }
  const settled = async (request: FastifyRequest, inbox: Inbox, { id }: Delivery, state: UploadState) => {
    const { kept: _, ...shown } = state
    remark(request, recordOf(state))
    if (state.expiresAt === undefined) await inboxes.arrived(request, inbox, id, state.path)
    return shown
  }
  return [
    {
      ...route,
      method: 'POST',
      records: 'upload',
      body: 'raw',
      describes: {
        summary: 'Begin to deliver a file through a file request or a link to edit (tus 1.0)',
        path: 'The name of the link, and after a slash the name of the file; for a link to edit, its path in the folder.',
        query: {
          ...LINK.query,
          override: { text: '`true` replaces an existing file, through a link to edit.', type: 'boolean' },
        },
        headers: {
          ...VERSIONED,
          ...LINK.headers,
          'Upload-Length': 'Size of the whole file in bytes.',
          'Upload-Metadata':
            '`checksum`, `sender` and `note`, each in base64: the `Upload-Checksum` of the whole file, the name of the visitor, and a message.',
          ...WRITE_HEADERS,
        },
        takes: CHUNK_TYPE,
        answers: { 201: { text: 'Begun.', headers: { ...STATE, Location: 'The URL for the chunks.' } }, ...LOCKED },
        refuses: [403, 409, 412, 413, 460, 507],
      },
      async handler(request, reply) {
        demandVersion(request, reply)
        const inbox = await inboxes.open(request)
        const asked = newDelivery(request, inbox)
        const { id, path } = await inboxes.hold(request, inbox, asked)
        const delivery: Delivery = { ...inbox, id }
        const state = await uploads.deliver(delivery, path, asked.upload).catch(async thrown => {
          await inboxes.gone(id)
          return refusal(reply)(thrown)
        })
        const hasChunk = state.length > 0 && request.headers['content-type'] === CHUNK_TYPE
        const now = hasChunk ? await uploads.append(delivery, () => chunkOf(request, reply, 0)) : state
        const shown = await settled(request, inbox, delivery, now)
        const { baseURL } = deps.config
        setUploadHeaders(reply, shown).header('Location', `${baseURL}/api/public/tus/${inbox.link}/${MARK}/${id}`)
        return sendStatus(reply, 201)
      },
    },
    {
      ...route,
      method: ['GET', 'HEAD'],
      describes: {
        summary: 'Get the offset of a file that is being delivered',
        path: UPLOAD_PATH,
        query: LINK.query,
        headers: { ...VERSIONED, ...LINK.headers },
        answers: {
          200: { text: 'See the headers.', headers: { ...STATE, 'Upload-Length': 'Size of the whole file in bytes.' } },
          ...LOCKED,
        },
        refuses: [403, 412],
      },
      async handler(request, reply) {
        reply.header('Cache-Control', 'no-store')
        const { inbox, delivery } = await opened(request, reply)
        const size = await inboxes.sizeOfArrived(inbox, delivery.id)
        const state =
          size === undefined
            ? await settled(request, inbox, delivery, await uploads.state(delivery))
            : { offset: size, length: size }
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
        summary: 'Send the next chunk of a file that is being delivered',
        path: UPLOAD_PATH,
        query: LINK.query,
        headers: { ...CHUNK_HEADERS, ...LINK.headers },
        takes: CHUNK_TYPE,
        answers: {
          204: { text: 'The chunk is stored.', headers: STATE },
          409: { text: 'The offset does not match.' },
          ...LOCKED,
        },
        refuses: [403, 412, 413, 415, 460, 507],
      },
      async handler(request, reply) {
        const { inbox, delivery } = await opened(request, reply)
        await inboxes.demand(inbox, delivery.id)
        const appended = await uploads.append(delivery, () => chunkAt(request, reply))
        const state = await settled(request, inbox, delivery, appended)
        return setUploadHeaders(reply, state).code(204).send()
      },
    },
    {
      ...route,
      method: 'DELETE',
      records: 'nothing',
      describes: {
        summary: 'Cancel the delivery of a file',
        path: UPLOAD_PATH,
        query: LINK.query,
        headers: { ...VERSIONED, ...LINK.headers },
        answers: { 204: { text: 'The upload is deleted.' }, ...LOCKED },
        refuses: [403, 412],
      },
      async handler(request, reply) {
        const { delivery } = await opened(request, reply)
        await uploads.cancel(delivery)
        return reply.code(204).send()
      },
    },
  ]
}

/** The upload that a path names. @throws AppError `not_found` */
function deliveryOf({ user, link, tools, rest: [mark, id, ...more] }: OpenedInbox): Delivery {
  if (mark !== MARK || id === undefined || more.length > 0) throw new AppError('not_found')
  return { user, link, tools, id }
}

/** @throws AppError `bad_request` without a length */
function newDelivery(request: FastifyRequest, { isEdited }: OpenedInbox) {
  const header = request.headers['upload-metadata']
  const metadata = Array.isArray(header) ? header.join() : header
  const bytes = parseNumber(request.headers['upload-length'])
  if (bytes === undefined) throw new AppError('bad_request', 'invalid upload length')
  const checksum = announcedChecksum(metadata)
  const { modified, ...conditions } = conditionsOf(request)
  const textOf = (key: string) => metadataOf(metadata, key)?.toString('utf8') ?? ''
  const upload: NewUpload = {
    ...{ override: false, length: bytes },
    ...(isEdited && { ...conditions, override: queryOf(request, 'override') === 'true' }),
    ...(checksum === undefined ? {} : { checksum }),
    ...(modified === undefined ? {} : { modified }),
  }
  return { bytes, sender: textOf('sender'), note: textOf('note'), upload }
}
