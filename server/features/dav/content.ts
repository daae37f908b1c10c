import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TrashMode } from '../../../shared/api/trash.ts'
import { ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Entry } from '../../files/types.ts'
import { setWritten, trashUse } from '../../responses/conditions.ts'
import { sendFile } from '../../responses/send.ts'
import { clientGone, type Route, rawBody, remark, target } from '../../routing/route.ts'
import { filesOf } from './files-of.ts'
import { demandConditions, depthOf, writeRequestOf } from './headers.ts'
import { namingMembers } from './member-failures.ts'
import type { TransferJobDeps } from './transfer-job.ts'

export interface DavDeps extends TransferJobDeps {
  files: FilesService
  config: { trash: TrashMode; baseURL: string; davLockTime: number; davInfinity: boolean }
}

type Handler = Route['handler']

/** GET and HEAD: the bytes of a file; of a folder a line of text, since players and programs would search a page. */
export const read =
  ({ files }: DavDeps): Handler =>
  async (request, reply) => {
    const own = await filesOf(files, request)
    const entry = await own.info(target(request).path)
    if (entry.kind === 'folder') {
      remark(request, { action: 'nothing' })
      const text = 'A folder of WebDAV: docs/webdav.md says how programs open it.\n'
      return reply.type('text/plain; charset=utf-8').send(text)
    }
    // Programs lose their credentials at redirects, which only attachments may have.
    return sendFile(request, reply, await own.open(entry.path), { inline: true })
  }

/** PUT: the whole file, into a folder that exists. */
export const put =
  ({ files }: DavDeps): Handler =>
  async (request, reply) => {
    if (target(request).folder) throw new AppError('is_a_folder')
    demandWhole(request)
    const own = await filesOf(files, request)
    const { path } = target(request)
    await own.demandParent(path)
    const standing = await standingAt(own, path)
    if (standing?.kind === 'folder') throw new AppError('is_a_folder')
    demandConditions(request, standing)
    const how = { ...writeRequestOf(request, standing), signal: clientGone(request, reply) }
    const { stream } = rawBody(request)
    // Who may only modify still replaces.
    const replaces = standing !== undefined && !own.may('create', path)
    const entry = replaces
      ? await own.save(path, stream, how)
      : await own.write(path, stream, { override: true, alone: true, ...how })
    if (how.modified !== undefined) reply.header('X-OC-Mtime', 'accepted')
    return setWritten(reply, entry)
      .code(standing ? 204 : 201)
      .send()
  }

/** @throws AppError `bad_request` for a part of a file (RFC 9110, 14.5), `wrong_media_type` for a compressed one */
function demandWhole({ headers }: FastifyRequest): void {
  if (headers['content-range'] !== undefined)
    throw new AppError('bad_request', 'content-range: files are written as a whole')
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.trim().toLowerCase() !== 'identity')
    throw new AppError('wrong_media_type', 'content-encoding: is not taken')
}

/** DELETE: a file, or a folder with everything in it; to the trash where there is one. */
export const remove =
  ({ files, config }: DavDeps): Handler =>
  async (request, reply) => {
    const depth = depthOf(request)
    const own = await filesOf(files, request)
    const { path } = target(request)
    if (depth !== undefined && depth !== 'infinity' && (await standingAt(own, path))?.kind === 'folder')
      throw new AppError('bad_request', 'depth: must be infinity')
    const kept = await namingMembers(request, own, [path], () => own.remove(path, trashUse(request, config.trash)))
    if (kept !== undefined) reply.header('X-Kept', kept)
    else if (own.trash.isOn) remark(request, { action: 'purge', facts: { trashed: false } })
    return reply.code(204).send()
  }

/** MKCOL: one folder, in a folder that exists. */
export const makeCollection =
  ({ files }: DavDeps): Handler =>
  async (request, reply: FastifyReply) => {
    if (hasBody(request)) throw new AppError('wrong_media_type', 'a folder has no body')
    const own = await filesOf(files, request)
    const { path } = target(request)
    if (path === ROOT) throw new AppError('method_not_allowed')
    await own.makeFolder(path, { alone: true }).catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === 'exists') throw new AppError('method_not_allowed', 'it exists')
      throw thrown
    })
    return reply.code(201).send()
  }

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** What exists at a path. */
export function standingAt(own: Files, path: Entry['path']): Promise<Entry | undefined> {
  return own.info(path).catch((thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'not_found') return undefined
    throw thrown
  })
}
