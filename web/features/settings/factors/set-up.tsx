import { type FormEvent, useRef, useState } from 'react'
import type { NewTotp } from '../../../../shared/api/factors.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { refusalOf } from '../../../lib/refusal.ts'
import { Button } from '../../../ui/button.tsx'
import { CurrentPassword, useConfirmation } from '../../../ui/current-password.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { beginTotp, confirmTotp } from '../api/factors.ts'
import styles from './factors.module.css'

const FORM = 'factor'

interface SetUpProps {
  /** The app is on; its recovery codes. */
  onDone: (codes: readonly string[]) => void
}

/** Confirms the user, shows the secret for the app, and asks for its first code. */
export function SetUp({ onDone }: SetUpProps) {
  const [totp, setTotp] = useState<NewTotp>()
  return totp ? <FirstCode totp={totp} onDone={onDone} /> : <Beginning onDone={setTotp} />
}

/** Runs a form once at a time, and shows its error. */
function useTask(act: () => Promise<void>, problemOf: (error: unknown) => string) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem('')
    await act().catch((error: unknown) => setProblem(problemOf(error)))
    setBusy(false)
  }
  return { busy, problem, setProblem, submit }
}

function Beginning({ onDone }: { onDone: (totp: NewTotp) => void }) {
  const confirmation = useConfirmation()
  const { busy, problem, submit } = useTask(
    async () => onDone(await beginTotp(confirmation.password)),
    error => (confirmation.takes(error) ? '' : errorText(error)),
  )
  return (
    <Dialog
      title={t('factors.setUpTitle')}
      description={t('factors.setUpText')}
      onClose={closePrompt}
      footer={<Footer busy={busy} confirm={t('factors.next')} />}
    >
      <form id={FORM} className={styles.form} noValidate onSubmit={event => void submit(event)}>
        <CurrentPassword confirmation={confirmation} />
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      </form>
    </Dialog>
  )
}

function FirstCode({ totp, onDone }: { totp: NewTotp } & SetUpProps) {
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { busy, problem, setProblem, submit } = useTask(
    async () => {
      const { codes } = await confirmTotp(code)
      // A user with passkeys has recovery codes already.
      return codes.length > 0 ? onDone(codes) : closePrompt()
    },
    error => {
      field.current?.select()
      return refusalOf(error)?.field === 'code' ? t('factors.wrongCode') : errorText(error)
    },
  )
  return (
    <Dialog
      title={t('factors.setUpTitle')}
      description={t('factors.scan')}
      onClose={closePrompt}
      initialFocus={field}
      footer={<Footer busy={busy} confirm={t('factors.turnOn')} />}
    >
      <form id={FORM} className={styles.form} noValidate onSubmit={event => void submit(event)}>
        <QrCode text={totp.address} label={t('factors.qr')} />
        <p className={styles.facts}>
          {t('factors.key')}
          <code className={styles.key} dir="ltr" translate="no">
            {totp.secret.replace(/.{4}(?=.)/g, '$& ')}
          </code>
          <a href={totp.address}>{t('factors.openApp')}</a>
        </p>
        <TextField
          ref={field}
          label={t('factors.code')}
          error={problem || undefined}
          value={code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          dir="ltr"
          onChange={event => {
            setCode(event.target.value)
            setProblem('')
          }}
        />
      </form>
    </Dialog>
  )
}

function Footer({ busy, confirm }: { busy: boolean; confirm: string }) {
  return (
    <>
      <Button onClick={closePrompt}>{t('common.cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} busy={busy}>
        {confirm}
      </Button>
    </>
  )
}
