import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { FilePath } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { instanceName } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { Lock } from '../../ui/icons.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { unlock } from './api/share.ts'
import styles from './password-card.module.css'

/** Prompts for the password of a share. */
export function PasswordCard({ hash, path }: { hash: string; path: FilePath }) {
  const online = useOnline()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy || !online) return
    setBusy(true)
    setProblem('')
    try {
      await unlock(hash, path, field.current?.value.trim() ?? '')
    } catch (error) {
      setProblem(problemText(error))
      setBusy(false)
      field.current?.focus()
      field.current?.select()
    }
  }
  return (
    <main className={styles.screen}>
      <div className={styles.card}>
        <div>
          <p className={styles.instance}>
            <BrandMark />
            {instanceName}
          </p>
          <h1 className={styles.title}>
            <Lock size={20} aria-hidden />
            {t('publicShare.locked')}
          </h1>
        </div>
        <form className={styles.form} onSubmit={event => void submit(event)}>
          <PasswordField
            ref={field}
            label={t('auth.password')}
            autoComplete="off"
            aria-invalid={problem ? true : undefined}
          />
          <p className={styles.problem} role="alert">
            {online ? problem : t('auth.noConnection')}
          </p>
          <Button type="submit" kind="primary" busy={busy} disabled={!online}>
            {t('common.open')}
          </Button>
        </form>
      </div>
    </main>
  )
}

function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.internal')
  if (error.status === 0) return t('auth.noConnection')
  if (error.status === 401) return t('auth.wrongCredentials')
  if (error.status === 429) return t('auth.tooManyAttempts', { seconds: error.retryAfter ?? 60 })
  return t(error.status === 404 ? 'publicShare.gone' : 'errors.internal')
}
