import { type ReactNode, useRef, useState } from 'react'
import { errorText } from '../lib/error-text.ts'
import { t } from '../lib/i18n/index.ts'
import { closePrompt } from '../lib/prompts.ts'
import { Button } from './button.tsx'
import styles from './confirm-dialog.module.css'
import { type Confirmation, CurrentPassword } from './current-password.tsx'
import { Dialog } from './dialog.tsx'
import { Presence } from './presence.tsx'

interface ConfirmDialogProps {
  title: string
  description: string
  /** Text of the button that confirms. */
  confirm: string
  /** What is confirmed; closes the dialog itself. An error it throws is shown, and the dialog stays. */
  run: () => Promise<void> | void
  /** Replaces the text of an error. */
  problemOf?: (error: unknown) => string
  /** Where the server may require the current password. */
  confirmation?: Confirmation
  onClose?: () => void
  children?: ReactNode
}

/** Confirms what cannot be taken back, with the focus on Cancel: only the button confirms, not Enter. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, confirm, problemOf = errorText, confirmation, onClose = closePrompt, children } = props
  const cancel = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const run = async () => {
    if (busy) return
    setBusy(true)
    setProblem('')
    try {
      await props.run()
    } catch (error) {
      if (!confirmation?.takes(error)) setProblem(problemOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      alert
      title={title}
      description={description}
      onClose={onClose}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" busy={busy} onClick={() => void run()}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {confirmation && !confirmation.field && <Presence />}
      {confirmation?.field && (
        <form
          onSubmit={event => {
            event.preventDefault()
            void run()
          }}
        >
          <CurrentPassword confirmation={confirmation} />
        </form>
      )}
      {problem !== '' && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
