import { useRef, useState } from 'react'
import type { User } from '../../../../shared/api/users.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { lazyLinks } from '../../../lib/lazy.ts'
import { closePrompt, currentPrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useConfirmation } from '../../../ui/current-password.tsx'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { handOver, removeUser } from '../api/users.ts'

const HandoverFields = lazyLinks(() => import('./handover-fields.tsx'))

interface DeleteUserPromptProps {
  id: number
  username: string
  isAdmin: boolean
  /** Runs after the user was deleted. */
  onDeleted: () => void
}

/** The heir did not get everything: the dialog stays, and its fields say so. */
class LeftBehind extends Error {}

/** Confirms the deletion of a user, and hands over what they share if asked to. */
export default function DeleteUserPrompt({ id, username, isAdmin, onDeleted }: DeleteUserPromptProps) {
  const confirmation = useConfirmation()
  const [heir, setHeir] = useState<User>()
  const [move, setMove] = useState(true)
  const [left, setLeft] = useState(0)
  const handed = useRef<User>(undefined)
  const run = async () => {
    const prompt = currentPrompt()?.id
    if (heir && handed.current !== heir) {
      const result = await handOver(id, { to: heir.id, move, current_password: confirmation.password })
      handed.current = heir
      setLeft(result.left)
      if (result.left > 0) throw new LeftBehind()
    }
    await removeUser(id, confirmation.password)
    if (currentPrompt()?.id === prompt) closePrompt()
    onDeleted()
  }
  return (
    <ConfirmDialog
      title={t('users.deleteTitle', { name: username })}
      description={t('users.deleteText')}
      confirm={t('actions.delete')}
      confirmation={confirmation}
      problemOf={error => refusal(error, isAdmin)}
      run={run}
    >
      <LazyBoundary>
        <HandoverFields
          {...{ id, heir, move, left }}
          onHeir={next => {
            setHeir(next)
            setLeft(0)
          }}
          onMove={setMove}
        />
      </LazyBoundary>
    </ConfirmDialog>
  )
}

/** 403 has its own text. */
function refusal(error: unknown, isAdmin: boolean): string {
  if (error instanceof LeftBehind) return ''
  const lastAdmin = isAdmin && error instanceof ApiError && error.status === 403
  return lastAdmin ? t('users.lastAdmin') : errorText(error)
}
