import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { MAX_TOKEN_LABEL, type NewToken, type TokenScope } from '../../../../shared/api/tokens.ts'
import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useOnline } from '../../../lib/online.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { refusalOf } from '../../../lib/refusal.ts'
import { Button } from '../../../ui/button.tsx'
import { CurrentPassword, useConfirmation } from '../../../ui/current-password.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { DestinationPicker } from '../../files/operations/destination/picker.tsx'
import { createToken } from '../api/tokens.ts'
import { mostDays, timeAfter } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'
import { ScopesField } from './scopes-field.tsx'
import styles from './tokens.module.css'

const FORM = 'new-token'

interface Problem {
  at: 'label' | 'form'
  text: string
}

interface TokenFormProps {
  /** Rights that are ticked at first. */
  atFirst: readonly TokenScope[]
  onMade: (made: NewToken) => void
}

/** Asks for the name, the rights, the folder and the end of a new token. */
export function TokenForm({ atFirst, onMade }: TokenFormProps) {
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState(atFirst)
  const [folder, setFolder] = useState<FilePath>()
  const [days, setDays] = useState(() => Math.min(90, mostDays(false)))
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const [typing, setTyping] = useState<string>()
  const confirmation = useConfirmation()
  const field = useRef<HTMLInputElement>(null)
  const online = useOnline()
  useEffect(() => field.current?.focus(), [])

  const refuse = (error: unknown) => {
    setBusy(false)
    if (!confirmation.takes(error)) setProblem({ at: 'form', text: problemText(error) })
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (label.trim() === '') {
      setProblem({ at: 'label', text: t('tokens.labelMissing') })
      return field.current?.focus()
    }
    if (typing !== undefined) return setProblem({ at: 'form', text: typing })
    setProblem(undefined)
    setBusy(true)
    const isAdmin = scopes.includes('admin')
    const request = {
      label,
      scopes: [...scopes],
      folders: folder === undefined || isAdmin ? [] : [folder],
      expires: timeAfter(Math.min(days, mostDays(isAdmin))),
      current_password: confirmation.password,
    }
    await createToken(request).then(onMade, refuse)
  }
  const problemAt = (at: Problem['at']) => (problem?.at === at ? problem.text : undefined)
  return (
    <Dialog
      title={t('tokens.newTitle')}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={FORM} busy={busy} disabled={!online}>
            {t('tokens.create')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} noValidate onSubmit={event => void submit(event)}>
        <TextField
          ref={field}
          label={t('tokens.label')}
          hint={t('tokens.labelHint')}
          error={problemAt('label')}
          value={label}
          maxLength={MAX_TOKEN_LABEL}
          autoComplete="off"
          onChange={event => {
            setLabel(event.target.value)
            setProblem(undefined)
          }}
        />
        <ScopesField value={scopes} onChange={setScopes} />
        {!scopes.includes('admin') && (
          <FolderField value={folder} onChange={setFolder} typing={typing} onTyping={setTyping} />
        )}
        <ExpiryField value={days} onChange={setDays} isAdmin={scopes.includes('admin')} />
        <CurrentPassword confirmation={confirmation} />
        <p className={styles.problem} role="alert">
          {online ? problemAt('form') : t('errors.offline')}
        </p>
      </form>
    </Dialog>
  )
}

interface FolderFieldProps {
  value: FilePath | undefined
  onChange: (path?: FilePath) => void
  /** Why the typed path is no folder. */
  typing: string | undefined
  onTyping: (problem: string | undefined) => void
}

/** All files, or one folder from the tree. */
function FolderField({ value, onChange, typing, onTyping }: FolderFieldProps) {
  const hintId = useId()
  const line = useRef<HTMLDivElement>(null)
  const choices = [
    { value: 'all', label: t('tokens.allFiles') },
    { value: 'one', label: t('tokens.oneFolder') },
  ]
  return (
    <>
      <SelectField
        label={t('tokens.reach')}
        choices={choices}
        value={value === undefined ? 'all' : 'one'}
        onChange={choice => onChange(choice === 'one' ? ROOT : undefined)}
      />
      {value !== undefined && (
        <DestinationPicker
          value={value}
          onChange={onChange}
          onProblem={onTyping}
          hint={typing ?? t('tokens.onlyBelow', { path: value })}
          hintId={hintId}
          onConfirm={() => {}}
          currentLine={line}
        />
      )}
    </>
  )
}

function problemText(error: unknown): string {
  if (error instanceof ApiError && error.code === 'exists') return t('tokens.tooMany')
  if (refusalOf(error)?.field === 'expires') return t('tokens.tooLong')
  return errorText(error)
}
