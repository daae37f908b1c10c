import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { type Action, type ActionContext, allActions, canRun, runAction, useActionContext } from '../../lib/actions.ts'
import { announce } from '../../lib/announce.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { X } from '../../ui/icons.ts'
import styles from './listing.module.css'

/** Milliseconds between two announcements of how much is selected. */
const ANNOUNCE_EVERY = 1000

/** What is selected and what can be done with it; stands in the place of the location bar. One stop in the tab order. */
export function SelectionBar({ compact }: { compact: boolean }) {
  const context = useActionContext()
  const { selection, view } = context
  const bytes = useMemo(() => selection.reduce((sum, item) => sum + (item.isDir ? 0 : item.size), 0), [selection])
  const bar = useRef<HTMLDivElement>(null)
  useSelectionAnnouncer(selection.length)
  useEffect(() => rove(bar.current, bar.current?.querySelector('button') ?? null, false))
  const actions = allActions().filter(action => action.group === 'selection' && action.visible(context))
  return (
    <div
      ref={bar}
      className={`${styles.bar} ${styles.selection}`}
      role="toolbar"
      aria-label={t('files.selectionBar')}
      onKeyDown={onToolbarKey}
    >
      <IconButton label={t('actions.clearSelection')} keys="Esc" onClick={() => view?.clearSelection()}>
        <X size={18} aria-hidden />
      </IconButton>
      <p className={styles.chosen}>
        {t('files.selected', { count: selection.length })}
        {bytes > 0 && <span className={styles.chosenSize}>{` · ${formatBytes(bytes)}`}</span>}
      </p>
      {actions.map(action => (
        <BarAction key={action.id} action={action} context={context} compact={compact} />
      ))}
    </div>
  )
}

function BarAction({ action, context, compact }: { action: Action; context: ActionContext; compact: boolean }) {
  const label = t(action.labelKey)
  const shared = {
    'data-danger': action.danger || undefined,
    'aria-disabled': !canRun(action, context) || undefined,
    onClick: () => void runAction(action),
  }
  const icon = <action.icon size={18} aria-hidden />
  return compact ? (
    <IconButton label={label} {...shared}>
      {icon}
    </IconButton>
  ) : (
    <Button kind="quiet" icon={icon} className={styles.selectionAction} {...shared}>
      {label}
    </Button>
  )
}

/** Makes one button of a toolbar the one in the tab order. */
function rove(bar: HTMLElement | null, to: HTMLButtonElement | null, focus: boolean): void {
  if (!bar || !to) return
  const active = document.activeElement
  const current = !focus && active instanceof HTMLButtonElement && bar.contains(active) ? active : to
  for (const button of bar.querySelectorAll('button')) button.tabIndex = button === current ? 0 : -1
  if (focus) to.focus()
}

function onToolbarKey(event: KeyboardEvent<HTMLElement>): void {
  const bar = event.currentTarget
  const buttons = [...bar.querySelectorAll('button')]
  const forward = getComputedStyle(bar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const target = toolbarTarget(event.key, forward, buttons)
  if (target === undefined) return
  event.preventDefault()
  rove(bar, buttons.at(target) ?? null, true)
}

function toolbarTarget(key: string, forward: string, buttons: readonly Element[]): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return -1
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const at = document.activeElement ? buttons.indexOf(document.activeElement) : -1
  return (at + (key === forward ? 1 : -1)) % buttons.length
}

/** Says how much is selected, at most once a second. */
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
