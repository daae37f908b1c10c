import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, currentPrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useConfirmation } from '../../../ui/current-password.tsx'
import { removeUser } from '../api/users.ts'

interface DeleteUserPromptProps {
  id: number
  username: string
  isAdmin: boolean
  /** Runs after the user was deleted. */
  onDeleted: () => void
}

/** Confirms the deletion of a user. */
export default function DeleteUserPrompt({ id, username, isAdmin, onDeleted }: DeleteUserPromptProps) {
  const confirmation = useConfirmation()
  const run = async () => {
    const prompt = currentPrompt()?.id
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
    />
  )
}

/** 403 has its own text. */
function refusal(error: unknown, isAdmin: boolean): string {
  const lastAdmin = isAdmin && error instanceof ApiError && error.status === 403
  return lastAdmin ? t('users.lastAdmin') : errorText(error)
}
