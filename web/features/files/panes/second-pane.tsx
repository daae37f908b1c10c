import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { type FilePath, nameOf, parentOf, parsePath, ROOT, segmentsOf } from '../../../../shared/path.ts'
import { useActionContext } from '../../../lib/actions.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t, useLocale } from '../../../lib/i18n/index.ts'
import { keysOf } from '../../../lib/keyboard.ts'
import { placesStore } from '../../../lib/other-places.ts'
import { useQuery } from '../../../lib/query.ts'
import { filesUrl, navigate } from '../../../lib/router.tsx'
import { Breadcrumb } from '../../../ui/breadcrumb.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ArrowDownUp, X } from '../../../ui/icons.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { folderQuery, isFolder } from '../api/list.ts'
import { copyItems, moveItems } from '../operations/transfer.ts'
import { PaneRows, type PaneRowsHandle } from './pane-rows.tsx'
import styles from './second-pane.module.css'
import { showInSecondPane, toggleSecondPane } from './store.ts'

interface SecondPaneProps {
  path: FilePath
  /** The folder of the first pane. */
  other: FilePath
}

/** Keys that mean the same in both panes. All others would act on the selection of the first one. */
const SHARED_KEYS = new Set(['F3', 'F6', 'Shift+F6', 'Ctrl+K', 'Ctrl+F', 'Ctrl+Z', 'Ctrl+Y', 'Ctrl+Shift+Z', '?'])

const nameAt = (path: FilePath) => shownName(nameOf(path)) || t('files.home')

/** A second folder next to the one of the page. Items are dragged between them, or moved and copied by buttons. */
export default function SecondPane({ path, other }: SecondPaneProps) {
  useLocale()
  const query = useQuery(folderQuery(path))
  const { data } = query
  const folder = data && isFolder(data) ? data : undefined
  const rows = useRef<PaneRowsHandle>(null)
  const [chosen, setChosen] = useState<readonly ResourceItem[]>([])
  const before = useBefore(path)
  const onKeyDown = (event: KeyboardEvent) => {
    const keys = keysOf(event.nativeEvent)
    if (SHARED_KEYS.has(keys)) return
    event.stopPropagation()
    if (event.defaultPrevented) return
    if (keys === 'Ctrl+A') rows.current?.selectAll()
    else if (keys === 'Escape') rows.current?.clearSelection()
    else return
    event.preventDefault()
  }
  return (
    <section
      className={styles.pane}
      data-region=""
      aria-label={t('views.secondPane')}
      onKeyDown={onKeyDown}
      onPaste={event => event.stopPropagation()}
    >
      <div className={styles.head}>
        <div className={styles.where}>
          <Crumbs path={path} />
        </div>
        <IconButton label={t('panes.swap')} onClick={() => swap(path, other)}>
          <ArrowDownUp size={18} style={{ rotate: '90deg' }} aria-hidden />
        </IconButton>
        <IconButton label={t('panes.close')} keys="F3" onClick={() => toggleSecondPane()}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.list} data-listing="" data-drop={folder ? path : undefined}>
        {query.error && !folder && <p className={styles.empty}>{errorText(query.error)}</p>}
        {query.isPending && <Spinner label={t('common.loading')} />}
        {folder && (
          <PaneRows
            key={path}
            ref={rows}
            path={path}
            folder={folder}
            before={before}
            onChoose={setChosen}
            onOpen={open}
            onUp={() => showInSecondPane(parentOf(path))}
          />
        )}
      </div>
      <Transfers path={path} other={other} chosen={folder ? chosen : []} />
    </section>
  )
}

/** The folder that was shown before this one. */
function useBefore(path: FilePath): FilePath | undefined {
  const [last, setLast] = useState<{ path: FilePath; before: FilePath | undefined }>({ path, before: undefined })
  if (last.path === path) return last.before
  setLast({ path, before: last.path })
  return last.path
}

function open(item: ResourceItem): void {
  const path = parsePath(item.path)
  if (item.isDir) showInSecondPane(path)
  else void navigate(filesUrl(path))
}

function swap(path: FilePath, other: FilePath): void {
  showInSecondPane(other)
  void navigate(filesUrl(path, true))
}

function Crumbs({ path }: { path: FilePath }) {
  const crumbs = useMemo(() => {
    const names = segmentsOf(path)
    return names.map((label, depth) => {
      const folder = parsePath(names.slice(0, depth + 1).join('/'))
      return { label, to: { key: folder, go: () => showInSecondPane(folder) }, drop: folder }
    })
  }, [path])
  return (
    <Breadcrumb
      label={t('panes.location')}
      hiddenLabel={t('files.hidden')}
      root={{ label: t('files.home'), to: { key: ROOT, go: () => showInSecondPane(ROOT) }, drop: ROOT }}
      crumbs={crumbs}
    />
  )
}

interface TransfersProps extends SecondPaneProps {
  /** Selected here. */
  chosen: readonly ResourceItem[]
}

/** Moves and copies what is selected here to the first pane, else what is selected there to this one. */
function Transfers({ path, other, chosen }: TransfersProps) {
  const { selection, user, offline } = useActionContext()
  const leaves = chosen.length > 0
  const [items, target] = leaves ? [chosen, other] : [selection, path]
  const isUseless = items.length === 0 || path === other || offline
  const count = items.length === 0 ? '' : t('files.selected', { count: items.length })
  const act = (run: typeof moveItems) => () => isUseless || void run(items, target)
  return (
    <div className={styles.foot}>
      <span className={styles.count} role="status">
        {count}
      </span>
      {user?.perm.create && (
        <Button kind="quiet" aria-disabled={isUseless || undefined} onClick={act(copyItems)}>
          {t('panes.copyTo', { name: nameAt(target) })}
        </Button>
      )}
      {user?.perm.rename && !placesStore.get()?.stay(items) && (
        <Button kind="quiet" aria-disabled={isUseless || undefined} onClick={act(moveItems)}>
          {t('panes.moveTo', { name: nameAt(target) })}
        </Button>
      )}
    </div>
  )
}
