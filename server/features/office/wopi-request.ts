import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { SeenLock } from '../../files/locks.ts'
import type { Entry } from '../../files/types.ts'
import { callerOf, remark } from '../../routing/route.ts'
import type { FoundToken } from './office.store.ts'
import type { Office } from './office.ts'

export interface WopiDeps {
  files: FilesService
  office: Office
  cluster: { lock<T>(key: string, act: () => Promise<T>): Promise<T> }
}

const opened = new WeakMap<FastifyRequest, FoundToken>()

/** For the gate of WOPI only. */
export const setOpened = (request: FastifyRequest, token: FoundToken): void => void opened.set(request, token)

/** What a request of the editor is about. */
export interface Opened extends FoundToken {
  /** The user's files. */
  own: Files
  entry: Entry
}

/**
 * The file of a request, with the rights and rules of its user as they are now.
 * @param writing needs a token that was given for writing
 * @throws AppError `forbidden`, `not_found`, and what `Files.info` throws
 */
export async function openedFile({ files }: WopiDeps, request: FastifyRequest, writing = false): Promise<Opened> {
  const token = opened.get(request)
  if (!token) throw new AppError('unauthorized')
  remark(request, { path: token.place })
  if (writing && !token.mayWrite) throw new AppError('forbidden')
  const own = await files.for(callerOf(request).user)
  const path = own.pathOf(token.place)
  if (path === undefined) throw new AppError('not_found')
  const entry = await own.info(path)
  if (entry.kind !== 'file') throw new AppError('not_found')
  own.demandRead(path)
  return { ...token, own, entry }
}

/** A header of a request; nothing for one that is missing or empty. */
export function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The lock of the editor on a file. */
export const editorLock = async ({ own, entry }: Opened): Promise<SeenLock | undefined> =>
  (await own.locks.at(entry.path)).find(({ via }) => via === 'wopi')

/** The refusal for a lock that is another one than the request names: 409 with the present one. */
export function mismatch(reply: FastifyReply, present: SeenLock | undefined): FastifyReply {
  return reply
    .code(409)
    .header('X-WOPI-Lock', present?.wopiId ?? '')
    .send()
}

/** The time of a file as editors compare it: ISO 8601 with seven decimals. */
export function timeOf({ modified }: Pick<Entry, 'modified'>): string {
  const whole = Math.floor(modified)
  const rest = Math.min(Math.round((modified - whole) * 10_000), 9999)
  return new Date(whole).toISOString().replace('Z', `${String(rest).padStart(4, '0')}Z`)
}
