import { type FilePath, parsePath, segmentsOf } from '../../../shared/path.ts'
import type { Sorting } from '../../../shared/sorting.ts'
import { actionById, canRun, runAction, useActionContext } from '../../lib/actions.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'
import { filesUrl, HOME_URL } from '../../lib/router.tsx'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ArrowDownUp } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import styles from './listing.module.css'
import { chooseSorting, useSorting } from './sort/sorting-choice.ts'

export interface Counts {
  numDirs: number
  numFiles: number
}

/** Where we are and what can be done with the folder. @param counts while they are known */
export function LocationBar({
  path,
  counts,
  compact,
}: {
  path: FilePath
  counts: Counts | undefined
  compact: boolean
}) {
  const total = counts ? counts.numDirs + counts.numFiles : 0
  const shown = compact ? ['upload'] : ['newDir', 'upload', 'refresh']
  return (
    <div className={styles.bar}>
      <div className={styles.where}>
        <Crumbs path={path} />
      </div>
      {counts && !compact && (
        <span className={styles.count} title={t('files.counts', { folders: counts.numDirs, files: counts.numFiles })}>
          {t('files.count', { count: total })}
        </span>
      )}
      {shown.map(id => (
        <ActionButton key={id} id={id} />
      ))}
      <SortMenu />
    </div>
  )
}

function Crumbs({ path }: { path: FilePath }) {
  const names = segmentsOf(path)
  const crumbs = names.map((name, depth) => ({
    label: name,
    to: filesUrl(parsePath(names.slice(0, depth + 1).join('/')), true),
  }))
  return (
    <Breadcrumb
      label={t('files.location')}
      hiddenLabel={t('files.hidden')}
      root={{ label: t('files.home'), to: HOME_URL }}
      crumbs={crumbs}
    />
  )
}

/** The registered action of this id as a button, if it is to be seen here. */
function ActionButton({ id }: { id: string }) {
  const context = useActionContext()
  const action = actionById(id)
  if (!action?.visible(context)) return null
  const keys = action.shortcut ? { keys: action.shortcut } : {}
  return (
    <IconButton
      label={t(action.labelKey)}
      {...keys}
      aria-disabled={!canRun(action, context) || undefined}
      onClick={() => runAction(action)}
    >
      <action.icon size={18} aria-hidden />
    </IconButton>
  )
}

const ORDERS: readonly { label: MessageKey & `files.sort${string}`; sorting: Sorting }[] = [
  { label: 'files.sortNameUp', sorting: { by: 'name', asc: false } },
  { label: 'files.sortNameDown', sorting: { by: 'name', asc: true } },
  { label: 'files.sortNewest', sorting: { by: 'modified', asc: false } },
  { label: 'files.sortOldest', sorting: { by: 'modified', asc: true } },
  { label: 'files.sortLargest', sorting: { by: 'size', asc: false } },
  { label: 'files.sortSmallest', sorting: { by: 'size', asc: true } },
]

function SortMenu() {
  const { by, asc } = useSorting()
  const entries = ORDERS.map(({ label, sorting }) => ({
    id: label,
    label: t(label),
    checked: sorting.by === by && sorting.asc === asc,
    run: () => chooseSorting(sorting),
  }))
  return (
    <MenuButton label={t('files.sort')} entries={entries}>
      <ArrowDownUp size={18} aria-hidden />
    </MenuButton>
  )
}
