import { useEffect, useRef } from 'react'
import { formatDate, formatRelative } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import type { TextDraft } from './drafts.ts'
import styles from './editor.module.css'

interface DraftOfferProps {
  draft: TextDraft
  /** The version that the file has now. */
  current: string
  onAnswer: (restore: boolean) => void
}

/** Text that was typed another time and not saved. Nothing is typed until it is decided what becomes of it. */
export function DraftOffer({ draft, current, onAnswer }: DraftOfferProps) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <section className={styles.notice} aria-label={t('editor.draft')}>
      <div className={styles.noticeText}>
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
