import { useState } from 'react'
import type { User } from '../../../shared/api/users.ts'
import { ApiError } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { type Problems, problemsOf } from '../../lib/refusal.ts'
import { useConfirmation } from '../../ui/current-password.tsx'
import { createUser } from './api/create-user.ts'
import { updateUser } from './api/update-user.ts'
import { problemsIn } from './user-draft.ts'

const NONE: Problems = {}

/** Checks and sends a user; keeps what is wrong with one. */
export function useSaving() {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState(NONE)
  const confirmation = useConfirmation()

  /** @returns where the user is to be found, `undefined` when it was not saved */
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

/** What the server has against a user, at the field concerned; `undefined` when it is about no field. */
function refusalsOf(error: unknown, user: User): Problems | undefined {
  if (error instanceof ApiError && error.status === 409) {
    const home = user.id === 0 && user.scope === ''
    return { username: t(home ? 'users.nameOrHomeTaken' : 'auth.usernameTaken') }
  }
  // Somebody who may manage users is refused one thing only.
  if (error instanceof ApiError && error.status === 403 && !user.perm.admin) return { perm: t('users.lastAdmin') }
  return problemsOf(error)
}
