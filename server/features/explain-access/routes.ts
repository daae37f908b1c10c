import type { FastifyRequest } from 'fastify'
import { WhyAnswer } from '../../../shared/api/explain-access.ts'
import { type FilePath, parsePath } from '../../../shared/path.ts'
import { EFFECTS, type Effect } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { DecidedStep } from '../../files/explain-access.ts'
import type { FilesService } from '../../files/files-service.ts'
import { callerOf, queryOf, type Route } from '../../routing/route.ts'
import { type ActingUser, findActingUser, findActingUserByName } from '../groups/acting-user.ts'
import { stepForAdmin, stepForUser } from './step-views.ts'

export interface ExplainAccessDeps {
  db: Db
  files: FilesService
  /** Finds a share link that has not ended. */
  shares: { find(name: string): Promise<SharedThing | undefined> }
}

/** What a share link was made for: its owner, path and place, and object. */
interface SharedThing {
  userId: number
  path: string
  canonical: FilePath
  identity: string
  /** Milliseconds since the epoch; null while it is open. */
  pausedAt: number | null
}

/** The subject of a request. */
interface Question {
  user: ActingUser
  path: FilePath
  effect: Effect
  /** Of a share link, the object it was made for, and whether it is paused. */
  identity?: string
  paused?: boolean
}

/**
 * Explains why a user may do something with a file, or may not: about oneself, for administrators about all users. The
 * owner of a share link may ask about it: it opens for others as far as its owner may share.
 */
export function explainAccessRoutes(deps: ExplainAccessDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/why',
      access: 'user',
      token: 'none',
      describes: {
        summary: 'Explain the access decision for an action on a file or folder',
        query: {
          path: 'The path, in the scope of the acting user.',
          action: { text: 'The action.', of: EFFECTS },
          user: 'The name of the acting user, for administrators; the caller by default.',
          link: 'The name of a share link, instead of all these: whether it opens, by the rights of its owner.',
        },
        answers: { 200: { text: 'The steps of the decision, up to the first refusal.', schema: WhyAnswer } },
        refuses: [400, 403, 404],
      },
      async handler(request): Promise<WhyAnswer> {
        const { admin } = callerOf(request).user.perm
        const question = await questionOf(deps, request)
        const { user, path, effect } = question
        const steps = await deps.files.why(user, path, effect)
        if (steps.every(isPassed)) steps.push(...(await linkSteps(deps.files, question)))
        const place = admin ? { place: await deps.files.placeOf(user, path) } : {}
        return {
          allowed: steps.every(isPassed),
          username: user.username,
          ...place,
          steps: steps.map(admin ? stepForAdmin : stepForUser),
        }
      },
    },
  ]
}

const isPassed = ({ ok }: DecidedStep) => ok

async function questionOf(deps: ExplainAccessDeps, request: FastifyRequest): Promise<Question> {
  const link = queryOf(request, 'link')
  if (link !== undefined) return linkQuestion(deps, request, link)
  const path = parsePath(queryOf(request, 'path') ?? '')
  const effect = effectOf(request)
  return { user: await subjectOf(deps.db, request), path, effect }
}

/** @throws AppError `not_found`, also for a link of another user unless the caller is an administrator */
async function linkQuestion(
  { db, shares, files }: ExplainAccessDeps,
  request: FastifyRequest,
  name: string,
): Promise<Question> {
  const { user } = callerOf(request)
  const share = await shares.find(name)
  const owner =
    share && (share.userId === user.id || user.perm.admin) ? await findActingUser(db, share.userId) : undefined
  if (!share || !owner) throw new AppError('not_found')
  const spot = (await files.inMounts(owner))(share.canonical)
  return {
    user: owner,
    path: spot?.path ?? parsePath(share.path),
    effect: 'share',
    identity: share.identity,
    paused: share.pausedAt !== null,
  }
}

/** Whether a share link is open, and still leads to the shared object. */
async function linkSteps(files: FilesService, { user, path, identity, paused }: Question): Promise<DecidedStep[]> {
  if (identity === undefined) return []
  if (paused) return [{ check: 'share', ok: false, code: 'link_paused' }]
  const entry = await (await files.for(user)).info(path)
  const ok = entry.identity === identity
  return [{ check: 'share', ok, ...(ok ? {} : { code: 'not_found' }) }]
}

function effectOf(request: FastifyRequest): Effect {
  const asked = queryOf(request, 'action')
  const effect = EFFECTS.find(name => name === asked)
  if (!effect) throw new AppError('bad_request', `action: must be one of ${EFFECTS.join(', ')}`)
  return effect
}

/** @throws AppError `forbidden`, whether or not the user exists; `not_found` */
async function subjectOf(db: Db, request: FastifyRequest): Promise<ActingUser> {
  const { user } = callerOf(request)
  const name = queryOf(request, 'user') ?? user.username
  if (name !== user.username && !user.perm.admin) throw new AppError('forbidden')
  const subject = await findActingUserByName(db, name)
  if (!subject) throw new AppError('not_found')
  return subject
}
