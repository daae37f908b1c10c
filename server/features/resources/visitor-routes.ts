import type { FastifyRequest } from 'fastify'
import type { TrashMode } from '../../../shared/api/trash.ts'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { setWritten, WRITE_HEADERS } from '../../responses/conditions.ts'
import { type Route, remark, sendStatus, type Target } from '../../routing/route.ts'
import { transfer, transferQuery } from './transfer.ts'
import { createAt, demandFile, saveAt } from './write.ts'

/** A request of a visitor who may change a shared folder. */
interface OpenedEdit extends Target {
  /** Of the owner of the link, cut to what the link gives. */
  files: Files
  /** The path in `files` of a path below the shared folder. */
  pathOf(below: FilePath): FilePath
  /** Names in the audit log where something goes. */
  movesTo(goal: FilePath): void
}

export interface VisitorResourcesDeps {
  /** See `openEdits` of the share links. */
  edits: { open(request: FastifyRequest): Promise<OpenedEdit> }
  config: { trash: TrashMode }
}

const TOKEN = 'The token that a response to the right password contained.'
const LINK = {
  path: 'The name of the link, and after a slash a path in the folder it shares.',
  query: { token: TOKEN },
  headers: {
    'X-SHARE-PASSWORD': 'The password of the link, percent-encoded.',
    'X-Share-Ticket': 'The token, instead of the one in the address, which no page of another site can use.',
    'X-Sender': 'The name of the visitor of a link to edit, percent-encoded.',
  },
}
const LOCKED = {
  401: { text: 'The link has a password, and it was wrong or missing.' },
  429: { text: 'Too many wrong links or passwords; retry later.', headers: { 'Retry-After': 'Seconds to wait.' } },
}
const WRITTEN = { ETag: 'Version of the file.' }

/** What visitors of links to edit change (http-api 10.4). Links of other kinds refuse it before the body is read. */
export function visitorResourceRoutes({ edits, config }: VisitorResourcesDeps): Route[] {
  const route = { path: '/api/public/resources/*', access: 'public' } as const
  return [
    {
      ...route,
      method: 'POST',
      records: 'upload',
      body: 'raw',
      describes: {
        summary: 'Upload a file through a link to edit, or create a folder where the path ends with a slash',
        path: LINK.path,
        query: { ...LINK.query, override: { text: '`true` replaces an existing file.', type: 'boolean' } },
        headers: { ...WRITE_HEADERS, ...LINK.headers },
        answers: { 200: { text: 'The file is stored, or the folder exists.', headers: WRITTEN }, ...LOCKED },
        refuses: [403, 409, 412, 507],
      },
      async handler(request, reply) {
        const edit = await edits.open(request)
        const entry = await createAt(request, reply, edit.files, edit)
        return sendStatus(entry ? setWritten(reply, { version: entry.version }) : reply, 200)
      },
    },
    {
      ...route,
      method: 'PUT',
      records: 'save',
      body: 'raw',
      describes: {
        summary: 'Save an existing file through a link to edit',
        path: LINK.path,
        query: LINK.query,
        headers: { 'If-Match': 'The version that may be replaced.', ...LINK.headers },
        answers: {
          200: { text: 'The file was saved.', headers: WRITTEN },
          405: { text: 'The path ends with a slash, and folders have no content.' },
          ...LOCKED,
        },
        refuses: [403, 409, 412, 507],
      },
      async handler(request, reply) {
        const edit = await edits.open(request)
        demandFile(reply, edit)
        const { version } = await saveAt(request, reply, edit.files, edit)
        return sendStatus(setWritten(reply, { version }), 200)
      },
    },
    {
      ...route,
      method: 'PATCH',
      records: 'move',
      body: 'raw',
      describes: {
        summary: 'Rename a file or a folder through a link to edit, or move it within the shared folder',
        path: LINK.path,
        query: {
          ...LINK.query,
          action: { text: 'What to do.', required: true, of: ['rename'] },
          destination: {
            text: 'The new path in the shared folder, percent-encoded once more than the query is.',
            required: true,
          },
          override: { text: '`true` replaces what exists there.', type: 'boolean' },
          rename: { text: '`true` chooses another name when one is taken.', type: 'boolean' },
        },
        headers: LINK.headers,
        answers: { 200: { text: 'The move is done.' }, ...LOCKED },
        refuses: [403, 409, 507],
      },
      async handler(request, reply) {
        const { files, path, pathOf, movesTo } = await edits.open(request)
        const query = transferQuery(request)
        if (query.action !== 'rename') throw new AppError('bad_request', 'action: must be rename')
        movesTo(query.destination)
        await transfer(files, path, { ...query, destination: pathOf(query.destination) })
        return sendStatus(reply, 200)
      },
    },
    {
      ...route,
      method: 'DELETE',
      records: 'delete',
      body: 'raw',
      describes: {
        summary: 'Delete a file, or a folder with everything in it, through a link to edit',
        path: LINK.path,
        query: LINK.query,
        headers: LINK.headers,
        answers: { 204: { text: 'It is deleted, and in the trash of the owner if there is one.' }, ...LOCKED },
        refuses: [403, 409],
      },
      async handler(request, reply) {
        const { files, path } = await edits.open(request)
        // Visitors do not choose: only a host without a trash deletes for good.
        const kept = await files.remove(path, config.trash === 'off' ? { trash: 'never' } : {})
        if (kept === undefined && files.trash.isOn) remark(request, { action: 'purge', facts: { trashed: false } })
        return reply.code(204).send()
      },
    },
  ]
}
