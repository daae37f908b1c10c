import { useEffect, useMemo, useRef } from 'react'
import { type Action, type ActionContext, canRun, runAction, useActionContext } from '../../lib/actions.ts'
import { announce } from '../../lib/announce.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { actionEntries } from '../../ui/action-entries.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Ellipsis, ListChecks, X } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { actionsOf } from './menu-entries.tsx'
import styles from './selection-bar.module.css'
import { useFit } from './use-fit.ts'

/** Milliseconds between two announcements of how much is selected. */
const ANNOUNCE_EVERY = 1000
/** Buttons of the bar at the bottom of a phone, with the one for more. */
const PHONE_BUTTONS = 5

/** Most used first; what is not named here follows. */
const FIRST: readonly string[] = ['download', 'share', 'rename', 'move', 'copy', 'delete', 'details']

const rankOf = ({ id }: Action): number => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length)

/** What the bars offer; opening needs no button. */
function barActions(context: ActionContext): Action[] {
  const actions = actionsOf(context, 'selection').filter(({ id }) => id !== 'open')
  return actions.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** What is selected and what can be done with it; stands in the place of the location bar. One stop in the tab order. */
export function SelectionBar({ compact }: { compact: boolean }) {
  const context = useActionContext()
  const { selection, view } = context
  useSelectionAnnouncer(selection.length)
  return (
    <Toolbar className={styles.bar} label={t('files.selectionBar')}>
      <IconButton label={t('actions.clearSelection')} keys="Esc" onClick={() => view?.clearSelection()}>
        <X size={18} aria-hidden />
      </IconButton>
      <Chosen context={context} />
      {compact ? (
        <IconButton label={t('actions.selectAll')} onClick={() => view?.selectAll()}>
          <ListChecks size={18} aria-hidden />
        </IconButton>
      ) : (
        <FittingActions context={context} />
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
function FittingActions({ context }: { context: ActionContext }) {
  const row = useRef<HTMLDivElement>(null)
  const actions = barActions(context)
  const fit = useFit(row, actions.length, 0)
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

/** The actions within reach of the thumb, on a phone. */
export function PhoneActions() {
  const context = useActionContext()
  const actions = barActions(context)
  const all = actions.length <= PHONE_BUTTONS
  const shown = all ? actions : actions.slice(0, PHONE_BUTTONS - 1)
  if (actions.length === 0) return null
  return (
    <Toolbar className={styles.phone} label={t('files.menu')}>
      {shown.map(action => (
        <button key={action.id} type="button" className={styles.phoneAction} {...buttonProps(action, context)}>
          <action.icon size={20} aria-hidden />
          <span className={styles.phoneLabel}>{t(action.labelKey)}</span>
        </button>
      ))}
      <More actions={all ? [] : actions.slice(shown.length)} context={context} />
    </Toolbar>
  )
}

function More({ actions, context }: { actions: readonly Action[]; context: ActionContext }) {
  if (actions.length === 0) return null
  return (
    <MenuButton label={t('views.more')} entries={actionEntries(actions, context)}>
      <Ellipsis size={18} aria-hidden />
    </MenuButton>
  )
}

function buttonProps(action: Action, context: ActionContext) {
  return {
    'data-danger': action.danger || undefined,
    'aria-disabled': !canRun(action, context) || undefined,
    onClick: () => void runAction(action),
  }
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
