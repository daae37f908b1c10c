import { useEffect, useRef } from 'react'
import { formatDate, formatRelative } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import type { TextDraft } from './drafts.ts'
import styles from './notice.module.css'

interface DraftOfferProps {
  draft: TextDraft
  /** The file's current version. */
  current: string
  onAnswer: (restore: boolean) => void
}

/** An unsaved draft from an earlier visit. The text is read-only until the user restores or discards the draft. */
export function DraftOffer({ draft, current, onAnswer }: DraftOfferProps) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <section className={styles.notice} aria-label={t('editor.draft')}>
      <div className={styles.text}>
        <p>{t('editor.draftText', { date: formatDate(draft.at), age: formatRelative(draft.at) })}</p>
        {draft.version !== current && <p>{t('editor.draftChanged')}</p>}
      </div>
      <Button ref={first} kind="primary" onClick={() => onAnswer(true)}>
        {t('editor.restore')}
      </Button>
      <Button onClick={() => onAnswer(false)}>{t('fields.discard')}</Button>
    </section>
  )
}
