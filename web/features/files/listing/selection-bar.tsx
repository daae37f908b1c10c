import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type ActionContext, useActionContext } from '../../../lib/actions.ts'
import { announce } from '../../../lib/announce.ts'
import { formatBytes } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useWindowClass } from '../../../lib/media.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ListChecks, X } from '../../../ui/icons.ts'
import { Toolbar } from '../../../ui/toolbar.tsx'
import { barActions, buttonProps, More } from './bar-actions.tsx'
import styles from './selection-bar.module.css'

/** Milliseconds between two announcements of the selection. */
const ANNOUNCE_EVERY = 1000

/** In the location bar, which stays above a pill where there is room for it. */
const ABOVE: readonly string[] = ['details']

interface SelectionBarProps {
  /** On phones: replaces the location bar, and the actions are in another one (`PhoneActions`). */
  compact?: boolean
  /** Floats over the end of the rows. */
  isPill?: boolean
}

/** The selection and its actions. A single tab stop. */
export default function SelectionBar({ compact = false, isPill = false }: SelectionBarProps) {
  const context = useActionContext()
  const { selection, view } = context
  const wide = useWindowClass() === 'wide'
  useSelectionAnnouncer(selection.length)
  return (
    <Toolbar className={isPill ? styles.pill : styles.bar} label={t('files.selectionBar')} atBottom={isPill}>
      <IconButton label={t('actions.clearSelection')} keys="Esc" onClick={() => view?.clearSelection()}>
        <X size={18} aria-hidden />
      </IconButton>
      <Chosen context={context} />
      {compact ? (
        <IconButton label={t('actions.selectAll')} onClick={() => view?.selectAll()}>
          <ListChecks size={18} aria-hidden />
        </IconButton>
      ) : (
        <FittingActions context={context} without={isPill && wide ? ABOVE : []} />
      )}
    </Toolbar>
  )
}

function Chosen({ context: { selection } }: { context: ActionContext }) {
  const bytes = useMemo(() => selection.reduce((sum, item) => sum + (item.isDir ? 0 : item.size), 0), [selection])
  return (
    <p className={styles.chosen}>
      {t('files.selected', { count: selection.length })}
      {bytes > 0 && <span className={styles.size}>{` · ${formatBytes(bytes)}`}</span>}
    </p>
  )
}

/** As many actions as fit, the others in a menu. */
function FittingActions({ context, without }: { context: ActionContext; without: readonly string[] }) {
  const row = useRef<HTMLDivElement>(null)
  const actions = barActions(context).filter(({ id }) => !without.includes(id))
  const fit = useOverflowCount(row, actions.length, 0)
  return (
    <>
      <div ref={row} className={styles.actions}>
        {actions.map((action, index) => (
          <Button
            key={action.id}
            kind="quiet"
            icon={<action.icon size={18} aria-hidden />}
            className={styles.action}
            data-hidden={index >= fit || undefined}
            {...buttonProps(action, context)}
          >
            {t(action.labelKey)}
          </Button>
        ))}
      </div>
      <More actions={actions.slice(fit)} context={context} />
    </>
  )
}

/** Announces the number of selected items, at most once a second. */
function useSelectionAnnouncer(count: number): void {
  const lastAt = useRef(0)
  useEffect(() => {
    const wait = Math.max(0, lastAt.current + ANNOUNCE_EVERY - Date.now())
    const timer = setTimeout(() => {
      lastAt.current = Date.now()
      announce(t('files.announceSelection', { count }))
    }, wait)
    return () => clearTimeout(timer)
  }, [count])
}

/**
 * How many children of a row fit into it; all of them stay in the document, so that they can be measured.
 * @param reserve CSS pixels to leave free when not all fit
 */
function useOverflowCount(row: RefObject<HTMLElement | null>, count: number, reserve: number): number {
  const [fit, setFit] = useState(count)
  useLayoutEffect(() => {
    const element = row.current
    if (!element || count === 0) return
    const measure = () => setFit(fitting(element, reserve))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [row, reserve, count])
  return Math.min(fit, count)
}

function fitting(row: HTMLElement, reserve: number): number {
  const widths = [...row.children].map(child => child.getBoundingClientRect().width)
  const room = row.getBoundingClientRect().width
  if (widths.reduce((sum, width) => sum + width, 0) <= room) return widths.length
  let used = 0
  const first = widths.findIndex(width => {
    used += width
    return used > room - reserve
  })
  return Math.max(0, first)
}
