import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { useWindowClass } from '../../../lib/media.ts'
import { IconButton } from '../../../ui/button.tsx'
import { List } from '../../../ui/icons.ts'
import tools from '../tools.module.css'
import styles from './contents.module.css'

/** A heading in the table of contents of a document. */
export interface Heading {
  id: string
  title: string
  /** Depth, from 0. */
  level: number
  /** Whether it has a target. */
  leads: boolean
}

interface WithContentsProps {
  headings: readonly Heading[]
  onGoTo(id: string): void
  /** Further tools above the document. */
  bar?: ReactNode
  children: ReactNode
}

/** A document with its toolbar, and its table of contents alongside, if it has one and that is open. */
export function WithContents({ headings, onGoTo, bar, children }: WithContentsProps) {
  const [opened, setOpened] = useState(false)
  // It overlays the document there.
  const narrow = useWindowClass() === 'narrow'
  const go = (id: string) => {
    if (narrow) setOpened(false)
    onGoTo(id)
  }
  return (
    <div className={styles.viewer}>
      {(bar || headings.length > 0) && (
        <div className={tools.tools}>
          {headings.length > 0 && (
            <IconButton
              label={t('preview.contents')}
              aria-pressed={opened}
              data-arrows
              onClick={() => setOpened(!opened)}
            >
              <List size={18} aria-hidden />
            </IconButton>
          )}
          {bar}
        </div>
      )}
      <div className={styles.content}>
        {opened && <Contents headings={headings} onGoTo={go} />}
        {children}
      </div>
    </div>
  )
}

function Contents({ headings, onGoTo }: Pick<WithContentsProps, 'headings' | 'onGoTo'>) {
  return (
    <nav className={styles.contents} aria-label={t('preview.contents')} data-arrows>
      <ul>
        {headings.map(({ id, title, level, leads }) => (
          <li key={id} style={{ paddingInlineStart: `${level * 16}px` }}>
            <button
              type="button"
              className={styles.heading}
              disabled={!leads}
              onClick={() => onGoTo(id)}
              onKeyDown={onKey}
            >
              <bdi>{title}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The arrow keys move between headings, so that Tab can skip them. */
function onKey(event: KeyboardEvent<HTMLButtonElement>): void {
  const list = event.currentTarget.closest('nav')
  const buttons = [...(list?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])]
  const to = stepTo(event.key, buttons.indexOf(event.currentTarget), buttons.length)
  if (to === undefined) return
  event.preventDefault()
  buttons[to]?.focus()
}

function stepTo(key: string, at: number, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1)
  return key === 'ArrowUp' ? Math.max(at - 1, 0) : undefined
}
