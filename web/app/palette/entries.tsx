import type { ReactNode } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parentOf, parsePath, ROOT } from '../../../shared/path.ts'
import { kindByName } from '../../features/files/items/kind-by-name.ts'
import { type Action, type ActionContext, allActions, canRun, currentContext, runAction } from '../../lib/actions.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { placesStore } from '../../lib/other-places.ts'
import { maySee, SETTINGS_PAGES } from '../../lib/route.ts'
import { filesUrl, HOME_URL, historyUrl, navigate, trashUrl } from '../../lib/router.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Clock, Folder, History, Settings, Trash2 } from '../../ui/icons.ts'
import { Star } from '../../ui/star.tsx'
import { Tag } from '../../ui/tag.tsx'
import { settingsTitle } from '../settings-title.ts'
import { VIEWER_ACTIONS } from '../viewer-actions.ts'

/** Something that the palette finds. */
export interface Entry {
  id: string
  label: string
  icon: ReactNode
  /** The folder of a file. */
  note?: string
  checked?: boolean
  /** Key combination. */
  keys?: string | undefined
  /** Address without base URL; none for a command. */
  to?: string
  run: () => void
}

const GROUPS = { view: 'views.view', sort: 'files.sort' } as const

/** Every enabled action and every page, as of the opening of the palette. */
export function commandsNow(): Entry[] {
  const context = currentContext()
  const actions = [...allActions(), ...VIEWER_ACTIONS].filter(({ id }) => id !== 'palette')
  return [
    ...actions.filter(action => canRun(action, context)).map(action => ofAction(action, context)),
    ...pages(context),
  ]
}

function ofAction(action: Action, context: ActionContext): Entry {
  const { id, icon: Icon, shortcut: keys } = action
  const run = () => void runAction(action)
  return {
    ...{ id, label: labelOf(action), icon: <Icon size={18} aria-hidden />, keys, run },
    checked: action.checked?.(context) ?? false,
  }
}

/** An action's label outside its menu. */
function labelOf({ group, labelKey }: Action): string {
  const label = t(labelKey)
  return group === 'view' || group === 'sort' ? t('palette.choice', { group: t(GROUPS[group]), label }) : label
}

function pages({ user, route }: ActionContext): Entry[] {
  const group = t('nav.settings')
  const settings = SETTINGS_PAGES.filter(page => user && maySee(page, user, placesStore.get()?.sharesLinks)).map(page =>
    place(`/settings/${page}`, t('palette.choice', { group, label: settingsTitle(page) }), Settings),
  )
  return [
    place(HOME_URL, t('nav.myFiles'), Folder),
    place('/starred', t('nav.starred'), Star),
    place('/tags', t('nav.tags'), Tag),
    place('/recent', t('nav.recent'), Clock),
    ...(pageConfig.Trash ? [place(trashUrl(route), t('nav.trash'), Trash2)] : []),
    place(historyUrl(route), t('nav.history'), History),
    ...settings,
  ]
}

/** A page. */
export function place(to: string, label: string, Icon: typeof Star): Entry {
  return { id: to, label, icon: <Icon size={18} aria-hidden />, to, run: () => void navigate(to) }
}

/** A file or folder. */
export function fileEntry({ path: text, isDir }: { path: string; isDir: boolean }): Entry {
  const path = parsePath(text)
  const name = shownName(nameOf(path))
  const folder = parentOf(path)
  const to = filesUrl(path, isDir)
  return {
    ...{ id: to, label: name, icon: <Glyph kind={kindByName(name, isDir)} />, to, run: () => void navigate(to) },
    note: folder === ROOT ? t('files.home') : shownName(folder.slice(1)),
  }
}
