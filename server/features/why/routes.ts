import type { FastifyRequest } from 'fastify'
import { WhyAnswer, type WhyStep } from '../../../shared/api/why.ts'
import { joinPath, parsePath } from '../../../shared/path.ts'
import { EFFECTS, type Effect } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { scopeFolder } from '../../files/scope.ts'
import type { FilesService } from '../../files/service.ts'
import { callerOf, queryOf, type Route } from '../../route.ts'
import { findUserByName, type StoredUser } from '../users/users.store.ts'

export interface WhyDeps {
  db: Db
  files: FilesService
}

/** Why somebody may do something with a file, or may not: for oneself, and for administrators about anybody. */
export function whyRoutes({ db, files }: WhyDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/why',
      access: 'user',
      describes: {
        summary: 'Explain what decides over an action on a file or folder',
        query: {
          path: { text: 'The path, in the scope of the one who would act.', required: true },
          action: { text: `What would be done: ${EFFECTS.join(', ')}.`, required: true },
          user: 'The name of who would act; the caller unless an administrator asks for somebody else.',
        },
        answers: { 200: { text: 'The steps of the decision, up to the first refusal.', schema: WhyAnswer } },
        refuses: [400, 403, 404],
      },
      async handler(request): Promise<WhyAnswer> {
        const { admin } = callerOf(request).user.perm
        const path = parsePath(queryOf(request, 'path') ?? '')
        const effect = effectOf(request)
        const user = await subjectOf(db, request)
        const steps = await files.why(user, path, effect)
        const place = admin ? { place: joinPath(scopeFolder(user.scope), path) } : {}
        return {
          allowed: steps.every(({ ok }) => ok),
          username: user.username,
          ...place,
          steps: admin ? steps : steps.map(withoutRule),
        }
      },
    },
  ]
}

function effectOf(request: FastifyRequest): Effect {
  const asked = queryOf(request, 'action')
  const effect = EFFECTS.find(name => name === asked)
  if (!effect) throw new AppError('bad_request', `action: must be one of ${EFFECTS.join(', ')}`)
  return effect
}

/** @throws AppError `forbidden`, whether or not there is such a user; `not_found` */
async function subjectOf(db: Db, request: FastifyRequest): Promise<StoredUser> {
  const { user } = callerOf(request)
  const name = queryOf(request, 'user') ?? user.username
  if (name !== user.username && !user.perm.admin) throw new AppError('forbidden')
  const subject = await findUserByName(db, name)
  if (!subject) throw new AppError('not_found')
  return subject
}

/** A rule may name what its reader is not to know of. */
function withoutRule({ rule: _rule, ...step }: WhyStep): WhyStep {
  return step
}
