import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { encodePath, type FilePath } from '../../../shared/path.ts'
import { withToken } from '../../audit/audit.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { DescribeLock } from '../../files/lock-records.ts'
import type { SeenLock } from '../../files/locks.ts'
import { factsOf } from '../../files/step-facts.ts'
import { callerOf, type Route, remark, target } from '../../routing/route.ts'
import { type DavDeps, standingAt } from './content.ts'
import { filesOf } from './files-of.ts'
import { depthOf } from './headers.ts'
import { parseIf, tokensIn } from './if-header.ts'
import { lifetimeOf, lockTokenOf, programOf } from './lock-headers.ts'
import { type LockInfo, lockDiscovery, lockInfoOf } from './lock-xml.ts'
import { readXml } from './read-xml.ts'

type Handler = Route['handler']

/** LOCK: takes a lock, which makes an empty file where nothing stands; without a body it extends one. */
export const lock =
  (deps: DavDeps): Handler =>
  async (request, reply) => {
    const { files, config } = deps
    const own = await filesOf(files, request)
    const body = await readXml(request)
    const lifetime = lifetimeOf(request.headers.timeout as string | undefined, config.davLockTime)
    if (!body) {
      const lock = await refresh(own, request, lifetime)
      return reply.type(XML).send(answerOf(lock, request))
    }
    const { lock, made } = await take(own, deps, request, { ...lockInfoOf(body), lifetime })
    reply.header('Lock-Token', `<${lock.token}>`)
    return reply
      .code(made ? 201 : 200)
      .type(XML)
      .send(answerOf(lock, request))
  }

/** UNLOCK: ends a lock by its token. */
export const unlock =
  ({ files }: DavDeps): Handler =>
  async (request, reply) => {
    const own = await filesOf(files, request)
    const token = lockTokenOf(String(request.headers['lock-token'] ?? ''))
    if (token === undefined) throw new AppError('bad_request', 'lock-token: must be one token in angle brackets')
    await own.locks.unlock(target(request).path, token)
    return reply.code(204).send()
  }

const XML = 'application/xml; charset=utf-8'

async function take(own: Files, deps: DavDeps, request: FastifyRequest, wanted: LockInfo & { lifetime: number }) {
  const { path, folder } = target(request)
  const depth = depthOf(request) ?? 'infinity'
  if (depth === 1) throw new AppError('bad_request', 'depth: must be 0 or infinity')
  const standing = await standingAt(own, path)
  if (standing?.kind === 'special') throw new AppError('special_file')
  const made = standing === undefined
  if (made && folder) throw new AppError('not_found')
  if (made) await makeEmpty(own, path)
  const label = programOf(request.headers['user-agent'])
  const how = { deep: depth === 'infinity', label, via: 'dav' } as const
  const lock = await own.locks.take(path, { ...wanted, ...how, describe: describing(deps, request) })
  remark(request, { action: 'nothing' })
  return { lock, made }
}

/** The row of the audit log that is written with a lock, with the step that made its file. */
function describing({ files, changes }: DavDeps, request: FastifyRequest): DescribeLock {
  return async ({ id, label }) => {
    const { user, way, token } = callerOf(request)
    const path = await files.placeOf(user, target(request).path)
    const steps = user.recording.latest
    const event = {
      ...({ action: 'lock', outcome: 'done', way, address: request.ip, who: user, path } as const),
      target: withToken(`lock:${id} ${label}`, token?.id),
      facts: steps.length === 0 ? undefined : factsOf(steps, [path]),
    }
    return { event, along: changes.along(user.recording) }
  }
}

async function makeEmpty(own: Files, path: FilePath): Promise<void> {
  await own.demandParent(path)
  await own.write(path, Readable.from([]), { override: false, alone: true, length: 0 })
}

/** @throws precondition_failed unless the header `If` names a lock of the caller that holds here */
async function refresh(own: Files, request: FastifyRequest, lifetime: number): Promise<SeenLock> {
  const { path } = target(request)
  const header = request.headers.if
  if (header === undefined) throw new AppError('bad_request', 'if: must name the lock')
  const tokens = tokensIn(parseIf(String(header)))
  const held = (await own.locks.at(path)).find(({ mine, token }) => mine && tokens.has(token))
  if (!held) throw new AppError('precondition_failed')
  return own.locks.refresh(path, held.token, lifetime)
}

function answerOf(lock: SeenLock, request: FastifyRequest): string {
  const base = (request.routeOptions.url ?? '').replace(/\/?\*?$/, '')
  const found = lockDiscovery([lock], path => `${base}${encodePath(path)}`)
  return `<?xml version="1.0" encoding="utf-8"?>\n<D:prop xmlns:D="DAV:"><D:lockdiscovery>${found}</D:lockdiscovery></D:prop>\n`
}
