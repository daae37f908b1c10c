import type { FolderResource } from '../../../../shared/api/resources.ts'
import { type FilePath, parsePath, ROOT, segmentsOf } from '../../../../shared/path.ts'
import type { ViewMode } from '../../../../shared/views.ts'
import { actionById, canRun, reasonAgainst, runAction, useActionContext } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { lazyTool } from '../../../lib/lazy.ts'
import { useWindowClass } from '../../../lib/media.ts'
import { filesUrl, HOME_URL } from '../../../lib/router.tsx'
import { actionEntries } from '../../../ui/action-entries.tsx'
import { Breadcrumb } from '../../../ui/breadcrumb.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { ArrowDownUp, EllipsisVertical } from '../../../ui/icons.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { isPartly } from '../api/list.ts'
import { useDetailsOpen } from '../details/store.ts'
import { useFilter } from './filter/store.ts'
import styles from './listing.module.css'
import { actionsOf, folderEntries } from './menu-entries.tsx'
import { useFoldersFirstIn, useSorting, useViewMode } from './preferences.ts'
import { usePathMenu } from './use-path-menu.tsx'
import { VIEWS } from './view-actions.ts'

const GallerySize = lazyTool(() => import('./gallery/size.tsx'))

interface LocationBarProps {
  path: FilePath
  /** Once loaded. */
  folder: FolderResource | undefined
  compact: boolean
}

/** The breadcrumb and the folder's actions. */
export function LocationBar({ path, folder, compact }: LocationBarProps) {
  // The current option is shown here, too.
  useSorting(folder)
  const filtering = useFilter(path) !== undefined
  const viewMode = useViewMode(path)
  const gallery = viewMode === 'mosaic gallery'
  return (
    <div className={styles.bar}>
      <div className={styles.where}>
        <Crumbs path={path} />
      </div>
      {compact ? (
        <FolderMenu />
      ) : (
        <>
          <span className={styles.roomy}>{folder && !filtering && <Count folder={folder} />}</span>
          <ActionButton id="upload" labelled />
          {!filtering && <ActionButton id="filter" />}
          <span className={styles.roomy}>
            <ActionButton id="refresh" />
          </span>
          <SortMenu path={path} />
          {gallery && (
            <span className={styles.size}>
              <LazyBoundary>
                <GallerySize />
              </LazyBoundary>
            </span>
          )}
          <span className={styles.roomy}>
            <Views current={viewMode} />
          </span>
          <DetailsToggle />
          <FolderMenu />
        </>
      )}
    </div>
  )
}

function Count({ folder }: { folder: FolderResource }) {
  const { items, numDirs, numFiles } = folder
  const count = numDirs + numFiles
  return (
    <span className={styles.count} title={t('files.counts', { folders: numDirs, files: numFiles })}>
      {isPartly(folder) ? `${t('filter.found', { found: items.length, total: count })}…` : t('files.count', { count })}
    </span>
  )
}

function Crumbs({ path }: { path: FilePath }) {
  const menu = usePathMenu()
  const names = segmentsOf(path)
  const crumbs = names.map((name, depth) => {
    const folder = parsePath(names.slice(0, depth + 1).join('/'))
    return { label: name, to: filesUrl(folder, true), drop: folder }
  })
  return (
    <>
      <Breadcrumb
        label={t('files.location')}
        hiddenLabel={t('files.hidden')}
        root={{ label: t('files.home'), to: HOME_URL, drop: ROOT }}
        crumbs={crumbs}
        onContextMenu={menu.open}
      />
      {menu.element}
    </>
  )
}

interface ActionButtonProps {
  id: string
  pressed?: boolean
  /** Whether it shows its name, too. */
  labelled?: boolean
}

/** The registered action of this id as a button, if it is available here. */
function ActionButton({ id, pressed, labelled }: ActionButtonProps) {
  const context = useActionContext()
  const action = actionById(id)
  if (!action?.visible(context)) return null
  const keys = action.shortcut ? { keys: action.shortcut } : {}
  const reason = reasonAgainst(action, context)
  return (
    <IconButton
      label={t(action.labelKey)}
      {...keys}
      {...(reason && { tip: t(reason) })}
      className={labelled ? styles.labelled : undefined}
      aria-pressed={pressed}
      aria-disabled={!canRun(action, context) || undefined}
      onClick={() => runAction(action)}
    >
      <action.icon size={18} aria-hidden />
      {labelled && t(action.labelKey)}
    </IconButton>
  )
}

/** The sort orders, exactly one of which is active, and whether folders come first. */
function SortMenu({ path }: { path: FilePath }) {
  const context = useActionContext()
  useFoldersFirstIn(path)
  const entries = actionEntries(actionsOf(context, 'sort'), context)
  return (
    <MenuButton label={t('files.sort')} entries={entries} disabled={entries.length === 0}>
      <ArrowDownUp size={18} aria-hidden />
    </MenuButton>
  )
}

/** Toggles the details panel next to the listing, where there is room for it. */
function DetailsToggle() {
  const open = useDetailsOpen()
  return useWindowClass() === 'wide' && <ActionButton id="details" pressed={open} />
}

/** The views side by side, exactly one of which is pressed. */
function Views({ current }: { current: ViewMode }) {
  return (
    <div role="group" aria-label={t('views.view')} className={styles.views}>
      {VIEWS.map(([id, viewMode]) => (
        <ActionButton key={id} id={id} pressed={viewMode === current} />
      ))}
    </div>
  )
}

/** A menu with all actions of the folder, also those that have no button. */
function FolderMenu() {
  const context = useActionContext()
  return (
    <MenuButton label={t('files.menu')} entries={folderEntries(context)}>
      <EllipsisVertical size={18} aria-hidden />
    </MenuButton>
  )
}
