import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, currentPrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { CurrentPassword, useConfirmation } from '../../../ui/current-password.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { removeUser } from '../api/users.ts'
import styles from './delete-user.module.css'

interface DeleteUserPromptProps {
  id: number
  username: string
  isAdmin: boolean
  /** Runs after the user was deleted. */
  onDeleted: () => void
}

/** Confirms the deletion of a user; only the button confirms, not Enter. */
export default function DeleteUserPrompt({ id, username, isAdmin, onDeleted }: DeleteUserPromptProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const confirmation = useConfirmation()

  const run = async () => {
    if (busy) return
    const prompt = currentPrompt()?.id
    setBusy(true)
    setProblem('')
    try {
      await removeUser(id, confirmation.password)
      if (currentPrompt()?.id === prompt) closePrompt()
      onDeleted()
    } catch (error) {
      if (!confirmation.takes(error)) setProblem(refusal(error, isAdmin))
      setBusy(false)
    }
  }
  return (
    <Dialog
      alert
      title={t('users.deleteTitle', { name: username })}
      description={t('users.deleteText')}
      onClose={closePrompt}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={closePrompt}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" busy={busy} onClick={() => void run()}>
            {t('actions.delete')}
          </Button>
        </>
      }
    >
      {(confirmation.field !== undefined || problem !== '') && (
        <>
          <form
            onSubmit={event => {
              event.preventDefault()
              void run()
            }}
          >
            <CurrentPassword confirmation={confirmation} />
          </form>
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        </>
      )}
    </Dialog>
  )
}

/** 403 has its own text. */
function refusal(error: unknown, isAdmin: boolean): string {
  const lastAdmin = isAdmin && error instanceof ApiError && error.status === 403
  return lastAdmin ? t('users.lastAdmin') : errorText(error)
}
