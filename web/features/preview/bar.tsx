import type { MouseEvent, ReactNode } from 'react'
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
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { navigate, shownUrl } from '../../lib/router.tsx'
import { IconButton } from '../../ui/button.tsx'
import { EllipsisVertical, ExternalLink, GalleryThumbnails, Printer, TvMinimalPlay, X } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { rawPath } from '../files/api/resource.ts'
import { previewActions } from './actions.ts'
import { isPlayed } from './api/play-links.ts'
import { Position } from './arrows.tsx'
import styles from './bar.module.css'
import { MusicButton } from './music/music-button.tsx'
import type { SlideshowChoice } from './slideshow/store.ts'
import type { FilmstripChoice } from './use-filmstrip.ts'
import type { Gallery } from './use-gallery.ts'
import type { Info } from './use-info.ts'

/** The actions on the file on the screen, by permission. */
const ACTIONS = ['download', 'share', 'rename', 'delete'] as const

interface BarProps {
  resource: FileResource
  turn: Gallery
  info: Info
  /** Where the file has one. */
  strip: FilmstripChoice | undefined
  slideshow: SlideshowChoice | undefined
  /** Navigation buttons, if they belong here; on narrow screens they have no room. */
  steps: ReactNode
  narrow: boolean
  onClose: () => void
}

export function Bar({ resource, turn, info, strip, slideshow, steps, narrow, onClose }: BarProps) {
  const possible = useEntries(resource, info, strip, slideshow)
  const entries = turn.isGone ? [] : possible
  return (
    <div className={styles.bar}>
      <IconButton label={t('common.close')} keys="Esc" onClick={onClose}>
        <X size={20} aria-hidden />
      </IconButton>
      <h1 className={styles.name}>
        <bdi>{shownName(resource.name)}</bdi>
      </h1>
      <MusicButton path={resource.path} />
      {steps ? !narrow && steps : <Position turn={turn} />}
      {entries.length === 0 ? null : narrow ? (
        <MenuButton label={t('preview.actions')} entries={entries}>
          <EllipsisVertical size={20} aria-hidden />
        </MenuButton>
      ) : (
        <Toolbar className={styles.actions} label={t('preview.actions')}>
          {entries.map(({ id, label, keys, icon, checked, run }) => (
            <IconButton
              key={id}
              label={label}
              {...(keys ? { keys } : {})}
              aria-pressed={checked}
              onClick={event => press(event, run)}
            >
              {icon}
            </IconButton>
          ))}
        </Toolbar>
      )}
    </div>
  )
}

/** A button pressed by a pointer leaves the focus, and the arrow keys, to the viewer. */
function press({ detail, currentTarget }: MouseEvent<HTMLElement>, run: MenuEntry['run']): void {
  run?.()
  if (detail > 0) currentTarget.closest('main')?.focus()
}

/** The registered actions, for this file instead of a selection; their keys are bound as everywhere. */
function useEntries(
  resource: FileResource,
  info: Info,
  strip: FilmstripChoice | undefined,
  slideshow: SlideshowChoice | undefined,
): MenuEntry[] {
  const { user, route } = useActionContext()
  const context: ActionContext = { ...NO_FOLDER, user, route, selection: [resource], focused: resource }
  const entries = ACTIONS.flatMap(id => actionById(id) ?? [])
    .filter(action => canRun(action, context))
    .map(action => entryOf(action, () => runAction(action, context)))
  const [whole, about, show] = ['fullscreen', 'info', 'slideshow'].map(name =>
    previewActions.find(({ id }) => id === `preview.${name}`),
  )
  if (about) {
    const entry = { ...entryOf(about, info.toggle), ...(info.isPanel && { checked: info.isOpen }) }
    const last = entries.findIndex(({ danger }) => danger)
    entries.splice(last < 0 ? entries.length : last, 0, entry)
  }
  if (whole && document.fullscreenEnabled) entries.unshift(entryOf(whole, () => void runAction(whole)))
  if (show && slideshow) entries.unshift(entryOf(show, slideshow.toggle))
  if (hasOtherPages(resource)) {
    const icon = <Printer size={18} aria-hidden />
    const run = () => void navigate(shownUrl(resource.path, 'paper'), { replace: true })
    entries.unshift({ id: 'paper', label: t('preview.asPaper'), icon, run })
  }
  if (!user?.perm.download) return entries
  if (strip) {
    const icon = <GalleryThumbnails size={18} aria-hidden />
    entries.unshift({
      id: 'filmstrip',
      label: t('preview.filmstrip'),
      icon,
      checked: strip.isShown,
      run: strip.toggle,
    })
  }
  if (isPlayed(resource)) {
    const icon = <TvMinimalPlay size={18} aria-hidden />
    const run = () => openPrompt('playLink', { path: resource.path })
    entries.unshift({ id: 'player', label: t('preview.player'), icon, run })
  }
  const open = () => void window.open(apiUrl(rawPath(resource.path, true)), '_blank', 'noreferrer')
  const icon = <ExternalLink size={18} aria-hidden />
  return [{ id: 'open', label: t('preview.openTab'), icon, run: open }, ...entries]
}

/** Whether a document has a viewer of its own, besides the pages that the server makes of it. */
const hasOtherPages = ({ name }: FileResource) => pageConfig.Documents && /\.(?:doc|xls)[xm]$/i.test(name)

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
