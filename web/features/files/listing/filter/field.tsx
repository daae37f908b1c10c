import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../../shared/path.ts'
import { currentContext } from '../../../../lib/actions.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { X } from '../../../../ui/icons.ts'
import styles from './field.module.css'
import { closeFilter, setFilter, useFilter, useFilterAsked } from './store.ts'
import { useFiltered } from './use-filtered.ts'

const NOTHING: readonly ResourceItem[] = []

/** Filters the folder on the screen by name. @param items of the folder, once loaded */
export function FilterField({ path, items = NOTHING }: { path: FilePath; items: readonly ResourceItem[] | undefined }) {
  const text = useFilter(path) ?? ''
  const found = useFiltered(path, items).length
  const field = useRef<HTMLInputElement>(null)
  const asked = useFilterAsked()
  useEffect(() => {
    if (asked === 0) return
    field.current?.focus()
    field.current?.select()
  }, [asked])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') leave()
    else if (event.key === 'Enter' || event.key === 'ArrowDown') toRows()
    else return
    event.preventDefault()
  }
  return (
    <search className={styles.filter}>
      <input
        ref={field}
        type="text"
        className={styles.input}
        aria-label={t('filter.label')}
        placeholder={t('filter.label')}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={text}
        onChange={event => setFilter(path, event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className={styles.found}>
        {text.trim() === '' ? '' : t('filter.found', { found, total: items.length })}
      </span>
      <IconButton label={t('actions.closeFilter')} keys="Esc" onClick={leave}>
        <X size={18} aria-hidden />
      </IconButton>
    </search>
  )
}

/** The rows stay filtered and selected, and take the focus. */
function toRows(): void {
  currentContext().view?.focus()
}

function leave(): void {
  closeFilter()
  // The rows must be rendered again before one of them can take the focus.
  requestAnimationFrame(toRows)
}
