import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { useCurrentFolder } from '../../lib/router.tsx'
import { Button } from '../../ui/button.tsx'
import { CircleStop } from '../../ui/icons.ts'
import styles from './panel.module.css'
import { clearLog, setDraft, stop, submit, useTerminal } from './runtime.ts'
import { toggleTerminal } from './store.ts'

/** The command line, and while a command runs the button that ends it. */
export function Prompt({ panel }: { panel: RefObject<HTMLElement | null> }) {
  const { running, draft } = useTerminal()
  const folder = useCurrentFolder()
  const online = useOnline()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const stopButton = useRef<HTMLButtonElement>(null)
  const recall = useHistory()
  useEffect(() => input.current?.focus(), [])
  useFocusWhileRunning(running, panel, running ? stopButton : input)
  const run = () => {
    const command = draft.trim()
    if (command === 'exit') {
      setDraft('')
      toggleTerminal()
    } else if (command === 'clear') {
      setDraft('')
      clearLog()
    } else if (command !== '' && online) {
      recall.reset()
      submit(folder, command)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !recall.move(event.key)) return
    event.preventDefault()
  }
  return (
    <form
      className={styles.prompt}
      onSubmit={event => {
        event.preventDefault()
        if (!running) run()
      }}
    >
      {!online && (
        <p className={styles.offline} role="status">
          {t('terminal.offline')}
        </p>
      )}
      <label htmlFor={id} className={styles.folder}>
        <bdi>{shownName(folder)}</bdi>
        <span aria-hidden="true"> ›</span>
      </label>
      <input
        ref={input}
        id={id}
        className={styles.input}
        aria-label={t('terminal.command', { folder })}
        dir="ltr"
        value={draft}
        disabled={running}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="send"
        onChange={event => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {running && (
        <Button ref={stopButton} className={styles.stop} icon={<CircleStop size={16} aria-hidden />} onClick={stop}>
          {t('terminal.stop')}
        </Button>
      )}
    </form>
  )
}

/** ↑ and ↓ go through the history; the current input is at its end. */
function useHistory() {
  const { history, draft } = useTerminal()
  const [at, setAt] = useState<number>()
  const typed = useRef('')
  const move = (key: string): boolean => {
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
    const now = at ?? history.length
    const next = Math.max(0, Math.min(history.length, now + (key === 'ArrowUp' ? -1 : 1)))
    if (now === history.length) typed.current = draft
    setAt(next)
    setDraft(history[next] ?? typed.current)
    return true
  }
  return { move, reset: () => setAt(undefined) }
}

/** A disabled field loses the focus: it moves to the button, and returns. */
function useFocusWhileRunning(
  running: boolean,
  panel: RefObject<HTMLElement | null>,
  target: RefObject<HTMLElement | null>,
): void {
  const was = useRef(running)
  useEffect(() => {
    if (was.current === running) return
    was.current = running
    const active = document.activeElement
    if (active === document.body || panel.current?.contains(active)) target.current?.focus()
  }, [running, panel, target])
}
