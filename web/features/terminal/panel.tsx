import { type KeyboardEvent, useRef } from 'react'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { Eraser, X } from '../../ui/icons.ts'
import { LogView } from './log-view.tsx'
import styles from './panel.module.css'
import { Prompt } from './prompt.tsx'
import { Separator, usePanelHeight } from './resize.tsx'
import { clearLog } from './runtime.ts'
import { toggleTerminal } from './store.ts'

/** Keys pressed in here apply here, not to the folder above; function keys navigate the page. */
function keepKeys(event: KeyboardEvent): void {
  if (!/^F\d/.test(event.key)) event.stopPropagation()
}

/** The terminal: the log, and the prompt. */
export default function TerminalPanel() {
  useLocale()
  const panel = useRef<HTMLElement>(null)
  const height = usePanelHeight()
  const onKeyDown = (event: KeyboardEvent) => {
    keepKeys(event)
    if (event.key.toLowerCase() !== 'l' || !event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    clearLog()
  }
  return (
    <section
      ref={panel}
      className={styles.panel}
      style={{ blockSize: height }}
      aria-label={t('nav.terminal')}
      onKeyDown={onKeyDown}
    >
      <Separator panel={panel} />
      <div className={styles.head}>
        <h2 className={styles.title}>{t('nav.terminal')}</h2>
        <IconButton label={t('terminal.clear')} keys="Ctrl+L" onClick={clearLog}>
          <Eraser size={18} aria-hidden />
        </IconButton>
        <IconButton label={t('terminal.close')} onClick={toggleTerminal}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <LogView />
      <Prompt panel={panel} />
    </section>
  )
}
