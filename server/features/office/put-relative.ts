import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  checkName,
  childOf,
  extensionOf,
  type FilePath,
  MAX_NAME_BYTES,
  nameOf,
  numberedName,
  parentOf,
} from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { clientGone, rawBody, remark } from '../../routing/route.ts'
import { decodeUtf7, encodeUtf7 } from './utf7.ts'
import { headerOf, type Opened, openedFile, type WopiDeps } from './wopi-request.ts'

/** Numbers tried before a suggested name is given up. */
const MOST_NAMES = 100
/** Bytes of a suggested name that stay free for a number. */
const SPARE = 8

/** PUT_RELATIVE: saves a copy of the document next to it, under a name that must fit or one that may be changed. */
export async function putRelative(deps: WopiDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await openedFile(deps, request)
  const { own, entry } = opened
  if (!opened.mayWrite || !own.may('create', entry.path)) throw new AppError('unsupported')
  const suggested = headerOf(request, 'x-wopi-suggestedtarget')
  const exact = headerOf(request, 'x-wopi-relativetarget')
  if ((suggested === undefined) === (exact === undefined))
    throw new AppError('bad_request', 'one of the two targets must be given')
  remark(request, { action: 'upload' })
  if (suggested !== undefined) {
    const path = await freePath(opened, usableName(decodeUtf7(suggested), entry.name))
    return write(deps, { request, reply, opened }, path, false)
  }
  const path = childOf(parentOf(entry.path), checkName(decodeUtf7(exact ?? '')))
  const replaces = headerOf(request, 'x-wopi-overwriterelativetarget')?.toLowerCase() === 'true'
  if (!(await isTaken(opened, path))) return write(deps, { request, reply, opened }, path, false)
  const locks = await own.locks.at(path)
  if (replaces && locks.length === 0) return write(deps, { request, reply, opened }, path, true)
  const free = await freePath(opened, nameOf(path))
  return reply
    .code(409)
    .header('X-WOPI-Lock', locks.find(({ via }) => via === 'wopi')?.wopiId ?? '')
    .header('X-WOPI-ValidRelativeTarget', encodeUtf7(nameOf(free)))
    .send()
}

async function write(
  { office }: WopiDeps,
  { request, reply, opened }: { request: FastifyRequest; reply: FastifyReply; opened: Opened },
  path: FilePath,
  override: boolean,
): Promise<FastifyReply> {
  const { own, userId, bearer } = opened
  const { stream, length } = rawBody(request)
  const signal = clientGone(request, reply)
  await own.write(path, stream, { override, alone: true, signal, ...(length !== undefined && { length }) })
  const { place } = await own.standing(path)
  remark(request, { path: place })
  const made = await office.tokens.open({ place, userId, bearer, mayWrite: true })
  const page = office.pageOf(path)
  return reply.send({
    Name: nameOf(path),
    Url: `${office.sourceOf(made.fileId)}?access_token=${made.token}`,
    HostEditUrl: page,
    HostViewUrl: page,
  })
}

/** The first free path for a name next to the document. @throws AppError `exists` */
async function freePath(opened: Opened, name: string): Promise<FilePath> {
  for (let copy = 0; copy < MOST_NAMES; copy += 1) {
    const path = childOf(parentOf(opened.entry.path), numberedName(name, copy))
    if (!(await isTaken(opened, path))) return path
  }
  throw new AppError('exists')
}

/** Whether there is anything at a path, or the user must not know. */
const isTaken = ({ own }: Opened, path: FilePath): Promise<boolean> =>
  own.info(path).then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === 'not_found') return false
      if (thrown instanceof AppError && ['forbidden', 'outside_scope', 'special_file'].includes(thrown.code))
        return true
      throw thrown
    },
  )

/** A suggested name, or only an extension, as a name that can be stored. @param original the name of the document */
function usableName(suggested: string, original: string): string {
  const stem = original.slice(0, original.length - extensionOf(original).length)
  const wanted = (suggested.startsWith('.') ? stem + suggested : suggested).replace(/[/\\\p{Cc}]/gu, '_')
  const extension = extensionOf(wanted)
  return checkName(cut(wanted.slice(0, wanted.length - extension.length), extension) + extension)
}

/** The beginning of a name for which there is room. @throws AppError `bad_request` for a long extension */
function cut(stem: string, extension: string): string {
  const room = MAX_NAME_BYTES - SPARE - Buffer.byteLength(extension)
  if (room <= 0) throw new AppError('name_too_long')
  let short = stem
  while (Buffer.byteLength(short) > room) short = [...short].slice(0, -1).join('')
  return short
}
