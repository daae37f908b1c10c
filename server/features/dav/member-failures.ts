import type { FastifyRequest } from 'fastify'
import { type FilePath, isWithin } from '../../../shared/path.ts'
import { AppError, asAppError, type ErrorCode } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { LIMITS } from '../../limits.ts'
import { remark } from '../../routing/route.ts'

interface MemberFailure {
  path: FilePath
  code: ErrorCode
}

/** Items below the requested one that prevent a change: 207 with the status of each (RFC 4918, 9.6.1, 9.8.5, 9.9.4). */
export class MemberFailures extends AppError {
  readonly members: readonly MemberFailure[]

  constructor(members: readonly MemberFailure[], error: AppError) {
    const { code, message, wait, lock, cause } = error
    super(code, message, { ...(wait !== undefined && { wait }), ...(lock !== undefined && { lock }), cause })
    this.members = members
  }
}

/**
 * Runs a change of trees.
 * @param trees their paths, where a lock below may refuse it
 * @param act receives what notes an item that cannot be changed
 * @throws MemberFailures when items below are the cause, and what `act` throws
 */
export async function namingMembers<T>(
  request: FastifyRequest,
  own: Files,
  trees: readonly FilePath[],
  act: (failed: (path: FilePath, code: ErrorCode) => void) => Promise<T>,
): Promise<T> {
  const failed: MemberFailure[] = []
  try {
    return await act((path, code) => {
      if (failed.length < LIMITS.davMembers) failed.push({ path, code })
    })
  } catch (thrown) {
    const error = asAppError(thrown)
    const members = failed.length > 0 ? failed : await lockedBelow(own, trees, error)
    if (members.length === 0) throw thrown
    remark(request, { outcome: error.code })
    throw new MemberFailures(members, error)
  }
}

/** The item whose lock refused a change, as far as the caller may see it; of a job it is not known which lock that was. */
async function lockedBelow(own: Files, trees: readonly FilePath[], { code, lock }: AppError): Promise<MemberFailure[]> {
  if (code !== 'locked') return []
  for (const tree of trees) {
    const all = await own.locks.list(tree).catch(() => [])
    const locks = all.filter(({ path }) => path !== tree && isWithin(path, tree))
    const refusing = lock === undefined ? locks.find(({ mine }) => !mine) : locks.find(({ id }) => id === lock)
    if (refusing) return [{ path: refusing.path, code }]
  }
  return []
}
