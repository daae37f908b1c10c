import { type FormEvent, useRef, useState } from 'react'
import type { PasskeyInfo } from '../../../../shared/api/passkeys.ts'
import { deviceName } from '../../../../shared/device-name.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { type Confirmation, CurrentPassword, useConfirmation } from '../../../ui/current-password.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { makePasskey, removePasskey, renamePasskey } from '../api/passkeys.ts'
import styles from './factors.module.css'

const FORM = 'passkey'
/** Maximum characters of a name. */
const LONGEST = 64

interface AddPasskeyProps {
  /** It is the first factor: recovery codes. */
  onCodes: (codes: readonly string[]) => void
}

/** Asks for a name, confirms the user, and has the browser make a passkey. */
export function AddPasskey({ onCodes }: AddPasskeyProps) {
  const confirmation = useConfirmation()
  const save = async (label: string) => {
    const { codes } = await makePasskey(label, confirmation.password)
    notify('success', t('passkeys.added'))
    if (codes.length > 0) onCodes(codes)
    else closePrompt()
  }
  return (
    <NameDialog
      title={t('passkeys.addTitle')}
      description={t('passkeys.addText')}
      confirm={t('passkeys.add')}
      initial={deviceName(navigator.userAgent).slice(0, LONGEST)}
      save={save}
      confirmation={confirmation}
    />
  )
}

export function RenamePasskey({ passkey: { id, label } }: { passkey: PasskeyInfo }) {
  const save = async (name: string) => {
    await renamePasskey(id, name)
    closePrompt()
  }
  return <NameDialog title={t('passkeys.renameTitle')} confirm={t('passkeys.rename')} initial={label} save={save} />
}

export function RemovePasskey({ passkey: { id, label } }: { passkey: PasskeyInfo }) {
  const confirmation = useConfirmation()
  const run = async () => {
    await removePasskey(id, confirmation.password)
    notify('success', t('passkeys.removed'))
    closePrompt()
  }
  return (
    <ConfirmDialog
      title={t('passkeys.removeTitle', { name: label })}
      description={t('passkeys.removeText')}
      confirm={t('passkeys.remove')}
      confirmation={confirmation}
      run={run}
    />
  )
}

interface NameDialogProps {
  title: string
  description?: string
  confirm: string
  initial: string
  save: (label: string) => Promise<void>
  confirmation?: Confirmation
}

function NameDialog({ title, description, confirm, initial, save, confirmation }: NameDialogProps) {
  const [label, setLabel] = useState(initial)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || label.trim() === '') return field.current?.focus()
    setBusy(true)
    setProblem('')
    await save(label.trim()).catch((error: unknown) => {
      if (!confirmation?.takes(error)) setProblem(problemOf(error))
    })
    setBusy(false)
  }
  return (
    <Dialog
      title={title}
      {...(description !== undefined && { description })}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={FORM} busy={busy}>
            {confirm}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} noValidate onSubmit={event => void submit(event)}>
        <TextField
          ref={field}
          label={t('passkeys.name')}
          value={label}
          maxLength={LONGEST}
          autoComplete="off"
          onChange={event => setLabel(event.target.value)}
        />
        {confirmation && <CurrentPassword confirmation={confirmation} />}
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      </form>
    </Dialog>
  )
}

/** Why there is no passkey; the browser does not say whether the user cancelled. */
function problemOf(error: unknown): string {
  if (error instanceof ApiError) return errorText(error)
  return error instanceof Error && error.name === 'InvalidStateError' ? t('passkeys.known') : t('passkeys.failed')
}
