import type { ReactNode } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import {
  type Action,
  type ActionContext,
  actionById,
  canRun,
  NO_FOLDER,
  runAction,
  useActionContext,
} from '../../lib/actions.ts'
import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { EllipsisVertical, ExternalLink, X } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { rawPath } from '../files/api/resource.ts'
import { previewActions } from './actions.ts'
import { Position } from './arrows.tsx'
import styles from './bar.module.css'
import type { Gallery } from './use-gallery.ts'

/** The actions on the file on the screen, by permission. */
const ACTIONS = ['download', 'share', 'rename', 'details', 'delete'] as const

interface BarProps {
  resource: FileResource
  turn: Gallery
  /** Navigation buttons, if they belong here; on narrow screens they have no room. */
  steps: ReactNode
  narrow: boolean
  onClose: () => void
}

export function Bar({ resource, turn, steps, narrow, onClose }: BarProps) {
  const possible = useEntries(resource)
  const entries = turn.isGone ? [] : possible
  return (
    <div className={styles.bar}>
      <IconButton label={t('common.close')} keys="Esc" onClick={onClose}>
        <X size={20} aria-hidden />
      </IconButton>
      <h1 className={styles.name}>
        <bdi>{shownName(resource.name)}</bdi>
      </h1>
      {steps ? !narrow && steps : <Position turn={turn} />}
      {entries.length === 0 ? null : narrow ? (
        <MenuButton label={t('preview.actions')} entries={entries}>
          <EllipsisVertical size={20} aria-hidden />
        </MenuButton>
      ) : (
        <Toolbar className={styles.actions} label={t('preview.actions')}>
          {entries.map(({ id, label, keys, icon, run }) => (
            <IconButton key={id} label={label} {...(keys ? { keys } : {})} onClick={run}>
              {icon}
            </IconButton>
          ))}
        </Toolbar>
      )}
    </div>
  )
}

/** The registered actions, for this file instead of a selection; their keys are bound as everywhere. */
function useEntries(resource: FileResource): MenuEntry[] {
  const { user, route } = useActionContext()
  const context: ActionContext = { ...NO_FOLDER, user, route, selection: [resource], focused: resource }
  const entries = ACTIONS.flatMap(id => actionById(id) ?? [])
    .filter(action => canRun(action, context))
    .map(action => entryOf(action, () => void action.run(context)))
  const whole = previewActions.find(({ id }) => id === 'preview.fullscreen')
  if (whole && document.fullscreenEnabled) entries.unshift(entryOf(whole, () => void runAction(whole)))
  if (!user?.perm.download) return entries
  const open = () => void window.open(apiUrl(rawPath(resource.path, true)), '_blank', 'noreferrer')
  const icon = <ExternalLink size={18} aria-hidden />
  return [{ id: 'open', label: t('preview.openTab'), icon, run: open }, ...entries]
}

function entryOf(action: Action, run: () => void): MenuEntry {
  return {
    id: action.id,
    label: t(action.labelKey),
    icon: <action.icon size={18} aria-hidden />,
    ...(action.shortcut ? { keys: action.shortcut } : {}),
    danger: action.danger ?? false,
    separated: action.danger ?? false,
    run,
  }
}
