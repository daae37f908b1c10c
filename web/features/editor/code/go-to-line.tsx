import type { EditorView } from '@codemirror/view'
import { type RefObject, type SubmitEvent, useEffect, useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { X } from '../../../ui/icons.ts'
import styles from './bars.module.css'
import { goToLine } from './line.ts'

interface GoToLineProps {
  view: RefObject<EditorView | null>
  onClose: () => void
}

/** Prompts for a line number, and moves the caret there. */
export function GoToLine({ view, onClose }: GoToLineProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useShortcuts('listing', [{ keys: 'Escape', run: onClose, inText: true }])
  const go = (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = field.current?.valueAsNumber ?? Number.NaN
    if (!view.current || Number.isNaN(wanted)) return
    goToLine(view.current, wanted)
    onClose()
  }
  return (
    <form className={styles.bar} onSubmit={go}>
      <label className={styles.field}>
        <span>{t('editor.line')}</span>
        <input ref={field} className={styles.number} type="number" min={1} inputMode="numeric" />
      </label>
      <Button type="submit">{t('actions.goToLine')}</Button>
      <IconButton className={styles.close} label={t('common.close')} onClick={onClose}>
        <X size={18} aria-hidden />
      </IconButton>
    </form>
  )
}
