import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { remark } from '../../routing/route.ts'
import { editorLock, headerOf, mismatch, type Opened, openedFile, type WopiDeps } from './wopi-request.ts'

/** One call about locks, which runs alone for its file. */
type LockCall = (request: FastifyRequest, reply: FastifyReply, opened: Opened) => Promise<FastifyReply>

const alone =
  (call: LockCall) =>
  async (deps: WopiDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const opened = await openedFile(deps, request, true)
    return deps.cluster.lock(`office:${opened.fileId}`, () => call(request, reply, opened))
  }

/** LOCK: takes the lock or extends it; with `X-WOPI-OldLock` it gives the present one another name. */
export const lock = alone(async (request, reply, opened) => {
  const wopiId = lockIn(request)
  const old = headerOf(request, 'x-wopi-oldlock')
  const present = await editorLock(opened)
  if (old === undefined ? present && present.wopiId !== wopiId : present?.wopiId !== old)
    return mismatch(reply, present)
  const { own, entry } = opened
  if (present) await own.locks.refresh(entry.path, present.token, LIMITS.officeLock, wopiId)
  else {
    const label = programOf(request.headers['user-agent'])
    const taken = { deep: false, scope: 'exclusive', lifetime: LIMITS.officeLock, ownerXml: '', label } as const
    const { id } = await own.locks.take(entry.path, { ...taken, via: 'wopi', wopiId })
    remark(request, { action: 'lock', target: `lock:${id} ${label}` })
  }
  return reply.header('X-WOPI-ItemVersion', entry.version).send()
})

/** UNLOCK. */
export const unlock = alone(async (request, reply, opened) => {
  const wopiId = lockIn(request)
  const present = await editorLock(opened)
  if (present?.wopiId !== wopiId) return mismatch(reply, present)
  await opened.own.locks.unlock(opened.entry.path, present.token)
  remark(request, { action: 'unlock', target: `lock:${present.id} ${present.label}` })
  return reply.header('X-WOPI-ItemVersion', opened.entry.version).send()
})

/** REFRESH_LOCK. */
export const refreshLock = alone(async (request, reply, opened) => {
  const wopiId = lockIn(request)
  const present = await editorLock(opened)
  if (present?.wopiId !== wopiId) return mismatch(reply, present)
  await opened.own.locks.refresh(opened.entry.path, present.token, LIMITS.officeLock)
  return reply.send()
})

/** GET_LOCK, also for users who only read. */
export async function getLock(deps: WopiDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const present = await editorLock(await openedFile(deps, request))
  return reply.header('X-WOPI-Lock', present?.wopiId ?? '').send()
}

/** What the editor calls its lock. @throws AppError `bad_request` */
function lockIn(request: FastifyRequest): string {
  const wopiId = headerOf(request, 'x-wopi-lock')
  if (wopiId === undefined || wopiId.length > LIMITS.officeLockId)
    throw new AppError('bad_request', 'x-wopi-lock: must name the lock')
  return wopiId
}

/** Editors by a part of their `User-Agent`. */
function programOf(agent = ''): string {
  if (/\b[CL]OOLWSD\b/.test(agent)) return 'Collabora Online'
  return /onlyoffice/i.test(agent) ? 'ONLYOFFICE' : 'Office'
}
