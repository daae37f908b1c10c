import { type KeyboardEvent, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { IconButton } from '../../../ui/button.tsx'
import { ArrowDown, ArrowUp } from '../../../ui/icons.ts'
import { MAX_MATCHES } from './page-text.ts'
import styles from './pdf.module.css'
import type { Search } from './use-search.ts'

/** Search in a document: query, number of matches, and navigation between them. */
export function SearchField({ search }: { search: Search }) {
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState('')
  useShortcuts('listing', [
    { keys: 'Ctrl+F', run: () => field.current !== document.activeElement && field.current?.select(), inText: true },
    { keys: 'F3', run: () => search.step(1), inText: true },
    { keys: 'Shift+F3', run: () => search.step(-1), inText: true },
  ])
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    search.step(event.shiftKey ? -1 : 1)
  }
  const change = (text: string) => {
    setWords(text)
    search.look(text)
  }
  const none = search.matches.length === 0
  return (
    <search className={styles.search}>
      <label className={styles.field}>
        <span>{t('editor.find')}</span>
        <input ref={field} type="text" value={words} onChange={event => change(event.target.value)} onKeyDown={onKey} />
      </label>
      <span className={styles.count} role="status">
        {words.trim() !== '' && matchesText(search)}
      </span>
      <IconButton label={t('keys.previous')} keys="Shift+F3" disabled={none} onClick={() => search.step(-1)}>
        <ArrowUp size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('keys.next')} keys="F3" disabled={none} onClick={() => search.step(1)}>
        <ArrowDown size={18} aria-hidden />
      </IconButton>
    </search>
  )
}

function matchesText({ matches, index, searching }: Search): string {
  if (matches.length === 0) return searching ? t('common.loading') : t('editor.noMatch')
  const count = formatNumber(matches.length) + (searching || matches.length >= MAX_MATCHES ? '+' : '')
  return t('preview.position', { index: formatNumber(index + 1), count })
}
