import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { sendFile } from '../../responses/send.ts'
import { callerOf, clientGone, rawBody } from '../../routing/route.ts'
import { editorLock, headerOf, mismatch, openedFile, timeOf, type WopiDeps } from './wopi-request.ts'

/** Headers that would make a response anything but the whole file. */
const CONDITIONS = ['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']

/** CheckFileInfo: what the editor must know of the file and of its user. */
export async function checkFileInfo(deps: WopiDeps, request: FastifyRequest, reply: FastifyReply) {
  const { own, entry, userId, mayWrite } = await openedFile(deps, request)
  const { office } = deps
  const writable = mayWrite && own.may('replace', entry.path)
  return reply.send({
    BaseFileName: entry.name,
    Size: entry.size,
    OwnerId: office.userIdOf(0),
    UserId: office.userIdOf(userId),
    UserFriendlyName: callerOf(request).user.username,
    Version: entry.version,
    LastModifiedTime: timeOf(entry),
    UserCanWrite: writable,
    UserCanNotWriteRelative: !(mayWrite && own.may('create', entry.path)),
    ReadOnly: !writable,
    SupportsLocks: true,
    SupportsGetLock: true,
    SupportsExtendedLockLength: true,
    SupportsUpdate: true,
    SupportsRename: false,
    SupportsDeleteFile: false,
    SupportsUserInfo: false,
    SupportsContainers: false,
    PostMessageOrigin: office.pages,
    CloseUrl: office.folderOf(entry.path),
    HostEditUrl: office.pageOf(entry.path),
    HostViewUrl: office.pageOf(entry.path),
  })
}

/** GetFile: the whole file. */
export async function getFile(deps: WopiDeps, request: FastifyRequest, reply: FastifyReply) {
  const { own, entry } = await openedFile(deps, request)
  const most = headerOf(request, 'x-wopi-maxexpectedsize')
  if (most !== undefined && entry.size > Number(most)) throw new AppError('precondition_failed')
  for (const name of CONDITIONS) delete request.headers[name]
  const file = await own.open(entry.path)
  reply.header('X-WOPI-ItemVersion', file.entry.version)
  return sendFile(request, reply, file, { inline: false, direct: false })
}

/**
 * PutFile: replaces the content, if the editor holds the lock of the file, or the file is empty and not locked. An editor
 * that says which time the file had when it was opened replaces no other content.
 */
export async function putFile(deps: WopiDeps, request: FastifyRequest, reply: FastifyReply) {
  if (headerOf(request, 'x-wopi-override') !== 'PUT') throw new AppError('unsupported')
  const opened = await openedFile(deps, request, true)
  const { entry } = opened
  const lock = await editorLock(opened)
  if (lock ? lock.wopiId !== headerOf(request, 'x-wopi-lock') : entry.size > 0) return mismatch(reply, lock)
  const expected = headerOf(request, 'x-cool-wopi-timestamp') ?? headerOf(request, 'x-lool-wopi-timestamp')
  if (expected !== undefined && expected !== timeOf(entry)) return changedOutside(reply)
  const own = await deps.files.for(callerOf(request).user, new Set(lock && [lock.token]))
  const { stream, length } = rawBody(request)
  const how = { ifMatch: entry.version, signal: clientGone(request, reply), ...(length !== undefined && { length }) }
  try {
    const saved = await own.save(entry.path, stream, how)
    return reply.header('X-WOPI-ItemVersion', saved.version).send({ LastModifiedTime: timeOf(saved) })
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'precondition_failed') return changedOutside(reply)
    throw thrown
  }
}

/** The file has another content than the editor opened; 1010 is the code of Collabora for that. */
const changedOutside = (reply: FastifyReply) =>
  reply.code(409).header('X-WOPI-Lock', '').send({ COOLStatusCode: 1010, LOOLStatusCode: 1010 })
