import { type SubmitEvent, useEffect, useRef } from 'react'
import type { FileResource } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Button } from '../../../ui/button.tsx'
import { Glyph, kindOf } from '../../../ui/glyph.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import styles from './password-form.module.css'
import type { Question } from './use-pdf.ts'

interface PasswordFormProps {
  resource: FileResource
  question: Question
}

/** Prompts for the password of a document. It is passed to the PDF library, and not stored. */
export function PasswordForm({ resource, question: { wrong, busy, answer } }: PasswordFormProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (busy) return
    field.current?.focus()
    field.current?.select()
  }, [busy])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!busy) answer(field.current?.value ?? '')
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <Glyph kind={kindOf(resource)} large />
      <p className={styles.name}>
        <bdi>{shownName(resource.name)}</bdi>
      </p>
      <p>{t('errors.encrypted')}</p>
      <div className={styles.answer}>
        <PasswordField
          ref={field}
          label={t('auth.password')}
          autoComplete="off"
          error={wrong ? t('auth.wrongCredentials') : undefined}
        />
        <p className="visually-hidden" role="alert">
          {wrong && t('auth.wrongCredentials')}
        </p>
        <Button type="submit" kind="primary" busy={busy}>
          {t('common.open')}
        </Button>
      </div>
    </form>
  )
}
