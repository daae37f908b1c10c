import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FilePath, isWithin } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { KeptContents, trashUse } from '../../responses/conditions.ts'
import { callerOf, type Route, remark, target } from '../../routing/route.ts'
import { type DavDeps, standingAt } from './content.ts'
import { destinationOf, mayOverwrite } from './destination.ts'
import { filesOf, tokensOf } from './files-of.ts'
import { depthOf } from './headers.ts'
import { namingMembers } from './member-failures.ts'
import { spelledPath } from './spelled-path.ts'
import { type JobEnd, type TransferOrder, transferByJob } from './transfer-job.ts'

type Action = 'copy' | 'move'

/** A transfer whose paths and rights were checked. */
interface Checked {
  own: Files
  action: Action
  source: Entry
  to: FilePath
  standing: Entry | undefined
  /** Whether that may give way. */
  overwrites: boolean
}

/** COPY and MOVE: a folder that stands at the goal is replaced, not merged (RFC 4918, 9.8.4 and 9.9.3). */
export function transfer(action: Action, deps: DavDeps): Route['handler'] {
  return async (request, reply) => {
    const isAlone = demandDepth(request, action)
    const checked = await check(action, deps, request)
    const { own, source, to, standing, overwrites: replaces } = checked
    const whole = { ...trashUse(request, deps.config.trash), replaces }
    // The change has the name of the transfer, not that of a removal before it.
    callerOf(request).user.recording.kind ??= action
    const end = await namingMembers(request, own, [source.path, to], async failed => {
      if (isAlone && source.kind === 'folder') return copyAlone(checked, whole)
      const order = {
        kind: action,
        from: source.path,
        to,
        whole: { ...whole, holding: [...tokensOf(request)] },
        failed,
      }
      if (await isLong(checked)) return transferByJob(deps, { request, reply }, order).catch(asOverlap)
      return transferNow(checked, order, () => transferByJob(deps, { request, reply }, order)).catch(asOverlap)
    })
    if ('id' in end) return sendGoesOn(reply, `${deps.config.baseURL}/api/jobs/${end.id}`)
    if (end.kept !== undefined) reply.header('X-Kept', end.kept)
    return reply.code(standing ? 204 : 201).send()
  }
}

async function check(action: Action, { files, config }: DavDeps, request: FastifyRequest): Promise<Checked> {
  const goal = destinationOf(request, config.baseURL)
  remark(request, { goal })
  const overwrites = mayOverwrite(request)
  const own = await filesOf(files, request)
  const from = target(request).path
  // A rename to the same name in another form is one.
  const to =
    from === (await spelledPath(own, goal)) ? goal : await spelledPath(own, goal, request.headers['user-agent'])
  remark(request, { goal: to })
  // Onto itself, into itself, or onto a folder that it is in.
  if (isWithin(to, from) || isWithin(from, to)) throw overlap()
  own.transfers.demand(action, from, to)
  const source = await own.info(from)
  await own.demandParent(to)
  const standing = await standingAt(own, to)
  if ([source, standing].some(entry => entry?.kind === 'special')) throw new AppError('special_file')
  if (standing && !overwrites) throw new AppError('precondition_failed')
  return { own, action, source, to, standing, overwrites }
}

/** @returns whether a folder is copied without what is in it @throws AppError `bad_request` */
function demandDepth(request: FastifyRequest, action: Action): boolean {
  const depth = depthOf(request) ?? 'infinity'
  if (depth === 'infinity') return false
  if (depth === 1 || action === 'move') throw new AppError('bad_request', 'depth: must be infinity')
  return true
}

/** Whether it surely copies more than a request should. */
async function isLong(checked: Checked): Promise<boolean> {
  const { own, action, source, to } = checked
  return (action === 'copy' || own.transfers.moveCopies(source.path, to)) && (await isLarge(checked))
}

async function isLarge({ own, source }: Checked): Promise<boolean> {
  const most = { bytes: LIMITS.davBytesAtOnce, entries: LIMITS.davEntriesAtOnce }
  const { bytes, entries } = await own.measure(source.path, new AbortController().signal, { carried: true, most })
  return bytes > most.bytes || entries > most.entries
}

/** Transfers within the request; a move to another disk only what is small. */
async function transferNow(
  checked: Checked,
  { kind, from, to, whole: { holding: _, ...whole }, failed }: TransferOrder,
  byJob: () => Promise<JobEnd>,
): Promise<JobEnd> {
  const kept = new KeptContents()
  const run = async (byName: boolean): Promise<JobEnd> => {
    await checked.own.transfers.whole(kind, from, to, { ...whole, kept: kept.add, failed, byName })
    return { kept: kept.value }
  }
  if (kind === 'copy') return run(false)
  try {
    return await run(true)
  } catch (thrown) {
    if (!(thrown instanceof AppError && thrown.code === 'unsupported')) throw thrown
    return (await isLarge(checked)) ? byJob() : run(false)
  }
}

async function copyAlone(
  { own, source, to, standing }: Checked,
  whole: Parameters<Files['transfers']['inPlaceOf']>[1],
): Promise<JobEnd> {
  const act = async () => {
    await own.makeFolder(to, { alone: true })
    await own.properties.copied(source, to)
  }
  await (standing ? own.transfers.inPlaceOf(to, whole, act) : act())
  return { kept: undefined }
}

/** The client need not ask again: what it asked for is being done. */
function sendGoesOn(reply: FastifyReply, job: string): FastifyReply {
  const text = 'The transfer continues as a job.\n'
  return reply.code(504).header('Location', job).type('text/plain; charset=utf-8').send(text)
}

const overlap = () => new AppError('forbidden', 'source and destination overlap')

/** A link on the way leads into the source. */
function asOverlap(thrown: unknown): never {
  throw thrown instanceof AppError && thrown.code === 'bad_request' ? overlap() : thrown
}
