import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Route } from '../../routing/route.ts'
import { putRelative } from './put-relative.ts'
import { checkFileInfo, getFile, putFile } from './wopi-content.ts'
import { getLock, lock, refreshLock, unlock } from './wopi-locks.ts'
import { headerOf, type WopiDeps } from './wopi-request.ts'

/** Descriptions of WOPI are in docs/office.md: it is for the editor alone. */
const UNDESCRIBED = { summary: 'WOPI', answers: {} } as const

/** What `POST /wopi/files/:id` does, by the header `X-WOPI-Override`. */
const CALLS: Readonly<
  Record<string, (deps: WopiDeps, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>>
> = {
  LOCK: lock,
  UNLOCK: unlock,
  REFRESH_LOCK: refreshLock,
  GET_LOCK: getLock,
  PUT_RELATIVE: putRelative,
}

/** The calls of the editor, below `/wopi` (docs/office.md). */
export function wopiRoutes(deps: WopiDeps): Route[] {
  const [file, contents] = ['/wopi/files/:id', '/wopi/files/:id/contents']
  const common = { access: 'user', token: 'none', body: 'raw', describes: UNDESCRIBED } as const
  return [
    { ...common, method: 'GET', path: file, handler: (...call) => checkFileInfo(deps, ...call) },
    { ...common, method: 'GET', path: contents, records: 'download', handler: (...call) => getFile(deps, ...call) },
    { ...common, method: 'POST', path: contents, records: 'save', handler: (...call) => putFile(deps, ...call) },
    {
      ...common,
      method: 'POST',
      path: file,
      records: 'nothing',
      async handler(request, reply) {
        const call = CALLS[headerOf(request, 'x-wopi-override') ?? '']
        if (!call) throw new AppError('unsupported')
        return call(deps, request, reply)
      },
    },
  ]
}
