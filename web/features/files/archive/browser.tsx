import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { ArchiveFolder, ArchiveItem } from '../../../../shared/api/archives.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { type FilePath, nameOf, parentOf, parsePath, ROOT } from '../../../../shared/path.ts'
import { ApiError, apiJson, apiUrl } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useCoarsePointer } from '../../../lib/media.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import { IconButton } from '../../../ui/button.tsx'
import { INITIAL, selectOnly } from '../../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid } from '../../../ui/grid/virtual-grid.tsx'
import { CornerLeftUp } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from './archive.module.css'
import { COLUMNS, MemberCells } from './cells.tsx'
import { canShow, MemberView } from './member-view.tsx'
import type { ArchiveSource } from './source.ts'

const ROW = 40
const TOUCH_ROW = 56

interface ArchiveBrowserProps {
  source: ArchiveSource
  /** Further actions on the archive. */
  children?: ReactNode
  /** Shown in place of an archive that cannot be read, with the reason. */
  unreadable?: (error: ApiError) => ReactNode
}

/** Whether the archive itself is at fault, so that a retry cannot help. */
const isUnreadable = (error: unknown): error is ApiError =>
  error instanceof ApiError && [422, 501].includes(error.status)

/** Browses an archive folder by folder, and shows or saves single files of it. */
export default function ArchiveBrowser({ source, children, unreadable }: ArchiveBrowserProps) {
  const [place, setPlace] = useState<FilePath>(ROOT)
  const [shown, setShown] = useState<ArchiveItem>()
  // The folder the user came from; the back trail ends there.
  const [from, setFrom] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: ['archive', source.key, place],
    queryFn: ({ signal }) => apiJson<ArchiveFolder>(source.list(place), { signal, auth: source.auth }),
  })
  const back = () => {
    setFrom(nameOf(shown ? parsePath(shown.path) : place))
    setShown(undefined)
    if (!shown) setPlace(parentOf(place))
  }
  const open = (item: ArchiveItem) => {
    if (item.isDir) {
      setFrom('')
      setPlace(parsePath(item.path))
    } else if (item.encrypted) notify('error', t('errors.encrypted'))
    else if (item.isSymlink) notify('error', t('common.noPreview'))
    else if (canShow(item)) setShown(item)
    else save(source, item)
  }
  const at = shown ? parsePath(shown.path) : place
  if (unreadable && isUnreadable(error)) return unreadable(error)
  return (
    <div className={styles.browser}>
      <div className={styles.bar}>
        <IconButton label={t('files.goUp')} onClick={back} disabled={at === ROOT}>
          <CornerLeftUp size={18} aria-hidden />
        </IconButton>
        <bdi className={styles.place}>{at === ROOT ? shownName(source.name) : shownName(at.slice(1))}</bdi>
        {children}
      </div>
      {data?.more && (
        <p className={styles.note} role="note">
          {t('preview.archiveMore')}
        </p>
      )}
      {shown ? (
        <MemberView source={source} item={shown} />
      ) : data ? (
        <Listing key={place} folder={data} from={from} name={nameOf(place) || source.name} onOpen={open} onUp={back} />
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </div>
  )
}

interface ListingProps {
  folder: ArchiveFolder
  /** The entry last opened in this folder. */
  from: string
  name: string
  onOpen: (item: ArchiveItem) => void
  onUp: () => void
}

function Listing({ folder: { items, path }, from, name, onOpen, onUp }: ListingProps) {
  const grid = useRef<GridHandle>(null)
  const [state, setState] = useState(() => {
    const index = items.findIndex(item => item.name === from)
    return index < 0 ? INITIAL : selectOnly(index)
  })
  const start = useRef(state.focus)
  useEffect(() => {
    grid.current?.reveal(start.current)
    grid.current?.focus()
  }, [])
  const rowHeight = useCoarsePointer() ? TOUCH_ROW : ROW
  const renderCells = useCallback(
    (index: number) => {
      const item = items[index]
      return item ? <MemberCells item={item} /> : null
    },
    [items],
  )
  const open = (index: number) => {
    const item = items[index]
    if (item) onOpen(item)
  }
  if (items.length === 0) return <p className={styles.empty}>{t('files.empty')}</p>
  return (
    <div className={styles.list}>
      <VirtualGrid
        ref={grid}
        label={t('files.listing', { name: shownName(name) })}
        count={items.length}
        columns={COLUMNS}
        rowHeight={rowHeight}
        headerHeight={0}
        initialOffset={0}
        state={state}
        onState={setState}
        singleClick={false}
        renderCells={renderCells}
        nameAt={index => items[index]?.name ?? ''}
        onOpen={open}
        onUp={() => path !== ROOT && onUp()}
        onMenu={() => undefined}
      />
    </div>
  )
}

/** Saves a file of the archive through the browser. */
function save(source: ArchiveSource, item: ArchiveItem): void {
  const link = document.createElement('a')
  link.href = apiUrl(source.member(parsePath(item.path), false))
  link.download = item.name
  link.click()
}
