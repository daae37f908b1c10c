import { useState } from 'react'
import type { User } from '../../../shared/api/users.ts'
import { ApiError } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { type Problems, problemsOf } from '../../lib/refusal.ts'
import { useConfirmation } from '../../ui/current-password.tsx'
import { createUser, updateUser } from './api/users.ts'
import { problemsIn } from './user-draft.ts'

const NONE: Problems = {}

/** Validates and saves a user; holds the errors. */
export function useSaving() {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState(NONE)
  const confirmation = useConfirmation()

  /**
   * @returns the user's address, `undefined` when it was not saved
   */
  const save = async (saved: User, user: User): Promise<{ location: string } | undefined> => {
    const wrong = problemsIn(user)
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return undefined
    setBusy(true)
    try {
      return { location: await send(saved, user, confirmation.password) }
    } catch (error) {
      if (confirmation.takes(error)) return undefined
      const found = refusalsOf(error, user)
      if (found) setProblems(found)
      else notify('error', errorText(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { busy, problems, confirmation, clear: () => setProblems(NONE), save }
}

async function send(saved: User, user: User, currentPassword: string | undefined): Promise<string> {
  if (user.id === 0) return createUser(user, currentPassword)
  await updateUser(saved, user, currentPassword)
  return ''
}

/** The server's error, at its field; `undefined` when it names no field. */
function refusalsOf(error: unknown, user: User): Problems | undefined {
  if (error instanceof ApiError && error.status === 409) {
    const home = user.id === 0 && user.scope === ''
    return { username: t(home ? 'users.nameOrHomeTaken' : 'auth.usernameTaken') }
  }
  // A user who may manage users is refused for one reason only.
  if (error instanceof ApiError && error.status === 403 && !user.perm.admin) return { perm: t('users.lastAdmin') }
  return problemsOf(error)
}
