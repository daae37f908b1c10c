import type { FastifyRequest } from 'fastify'
import { type FilePath, isWithin } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { GivesWay } from '../../files/transfer.ts'
import type { Entry } from '../../files/types.ts'
import { KeptContents, trashUse } from '../../responses/conditions.ts'
import { callerOf, type Route, remark, target } from '../../routing/route.ts'
import { type DavDeps, standingAt } from './content.ts'
import { destinationOf, mayOverwrite } from './destination.ts'
import { filesOf } from './files-of.ts'
import { depthOf } from './headers.ts'
import { namingMembers } from './member-failures.ts'
import { spelledPath } from './spelled-path.ts'

type Action = 'copy' | 'move'

/** COPY and MOVE: a folder that stands at the goal is replaced, not merged (RFC 4918, 9.8.4 and 9.9.3). */
export function transfer(action: Action, { files, config }: DavDeps): Route['handler'] {
  return async (request, reply) => {
    const goal = destinationOf(request, config.baseURL)
    remark(request, { goal })
    const isAlone = demandDepth(request, action)
    const overwrites = mayOverwrite(request)
    const own = await filesOf(files, request)
    const from = target(request).path
    // A rename to the same name in another form is one.
    const to =
      from === (await spelledPath(own, goal)) ? goal : await spelledPath(own, goal, request.headers['user-agent'])
    remark(request, { goal: to })
    // Onto itself, into itself, or onto a folder that it is in.
    if (isWithin(to, from) || isWithin(from, to)) throw new AppError('forbidden', 'source and destination overlap')
    own.transfers.demand(action, from, to)
    const source = await own.info(from)
    await own.demandParent(to)
    const standing = await standingAt(own, to)
    if ([source, standing].some(entry => entry?.kind === 'special')) throw new AppError('special_file')
    if (standing && !overwrites) throw new AppError('precondition_failed')
    // The change has the name of the transfer, not that of a removal before it.
    callerOf(request).user.recording.kind ??= action
    const replaces = standing?.kind === 'file' && source.kind === 'file'
    const late = !isAlone && [source, standing].every(entry => entry?.kind === 'folder' && !entry.isLink)
    const how = { ...trashUse(request, config.trash), late }
    const kept = new KeptContents()
    await namingMembers(request, own, [from, to], failed => {
      const act = async (over?: GivesWay) => {
        if (isAlone && source.kind === 'folder') return copyAlone(own, source, to)
        const options = { override: replaces, rename: false, failed, kept: kept.add, ...(over && { over }) }
        await own.transfers[action](from, to, options).catch(asOverlap)
      }
      return standing && !replaces ? own.transfers.inPlaceOf(to, how, act) : act()
    })
    if (kept.value !== undefined) reply.header('X-Kept', kept.value)
    return reply.code(standing ? 204 : 201).send()
  }
}

/** @returns whether a folder is copied without what is in it @throws AppError `bad_request` */
function demandDepth(request: FastifyRequest, action: Action): boolean {
  const depth = depthOf(request) ?? 'infinity'
  if (depth === 'infinity') return false
  if (depth === 1 || action === 'move') throw new AppError('bad_request', 'depth: must be infinity')
  return true
}

async function copyAlone(own: Files, source: Entry, to: FilePath): Promise<void> {
  await own.makeFolder(to, { alone: true })
  await own.properties.copied(source, to)
}

/** A link on the way leads into the source. */
function asOverlap(thrown: unknown): never {
  const overlaps = thrown instanceof AppError && thrown.code === 'bad_request'
  throw overlaps ? new AppError('forbidden', 'source and destination overlap') : thrown
}
