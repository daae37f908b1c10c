import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { PreviewSize } from '../../../shared/api/previews.ts'
import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { SHARE_PAGE_ITEMS } from '../../../shared/limits.ts'
import { type FilePath, parentOf, trustedChild } from '../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { useCoarsePointer, useWindowClass } from '../../lib/media.ts'
import { navigate, useHistoryState } from '../../lib/router.tsx'
import { createStore, useStore } from '../../lib/store.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EMPTY, sizeOf } from '../../ui/grid/range-set.ts'
import { includeRow } from '../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid, type VirtualGridProps } from '../../ui/grid/virtual-grid.tsx'
import { Images, List, ListChecks } from '../../ui/icons.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { useFoldersFirst } from '../files/items/folders-first.ts'
import { ThumbAddress } from '../files/items/thumb.tsx'
import { COLUMNS, FileCells, ListHeader } from '../files/listing/cells.tsx'
import type { BeginDrag } from '../files/listing/drag/drag.ts'
import { useDrag } from '../files/listing/drag/use-drag.ts'
import { afterHeaderClick } from '../files/listing/sort/sorting-choice.ts'
import { useSortedRows } from '../files/listing/sort/use-sorted.ts'
import { useScrollRestoration } from '../files/listing/use-scroll-restoration.ts'
import { publicPath, publicPreview } from './api/addresses.ts'
import { download, isSingleFile, otherFormats } from './download.ts'
import type { Edit } from './edit/edit.ts'
import { EditDrag, EditSelection } from './edit/late-edit.ts'
import { type Link, linkAddress } from './link.ts'
import styles from './public-share.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { useSelection } from './use-selection.ts'

const Gallery = lazyPart(() => import('../files/listing/gallery/gallery.tsx'))

const ROW = 40
const TOUCH_ROW = 56
const HEADER = 36
const TOUCH_HEADER = 48

export interface SharedListProps {
  link: Link
  folder: FolderResource
  /** Below the share. */
  path: FilePath
  name: string
  crumbs: ReactNode
  /** Whether items can be selected to download them. */
  canDownload: boolean
  /** Of a link to edit. */
  edit: Edit | undefined
}

/** The items of a shared folder: to view, select and download. */
export function SharedList({ link, folder, path, name, crumbs, canDownload, edit }: SharedListProps) {
  const [order, setOrder] = useState(DEFAULT_SORTING)
  const { gallery, setGallery } = useGallery(folder)
  const { rows: sorted, sorting } = useSortedRows(folder, order)
  const all = useFoldersFirst(sorted, gallery)
  const { shown, more, showMore } = useLoadMore(all.length)
  const rows = useMemo(() => all.slice(0, shown), [all, shown])
  const place = useScrollRestoration(path)
  const grid = useRef<GridHandle>(null)
  const choice = useSelection(rows, place.start, grid)
  const { state, setState, selection } = choice
  useFocusOnArrival(grid, state.focus)
  const { remember } = place
  useEffect(() => remember({ name: rows[state.focus]?.name }), [remember, rows, state.focus])
  const coarse = useCoarsePointer()
  const compact = useWindowClass() === 'narrow'
  const [begin, onBegin] = useState<BeginDrag>()
  const mayDrag = !coarse && begin !== undefined
  const drag = useDrag({ path, rows, selection, state, setState, begin })
  const addressOf = useCallback((item: ResourceItem) => linkAddress(link, trustedChild(path, item.name)), [link, path])
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const item = rows[index]
      if (!item) return null
      const options = { exactDates: false, pictures: true, draggable: mayDrag }
      return <FileCells item={item} selected={selected} to={addressOf(item)} {...options} />
    },
    [rows, addressOf, mayDrag],
  )
  const sizesCall = useCallback(
    (files: string) => publicPath('picture-sizes', link.hash, path, { token: link.ticket, files }),
    [link.hash, link.ticket, path],
  )
  const thumbOf = useCallback(
    (item: Pick<ResourceItem, 'path' | 'modified'>, size: PreviewSize) =>
      apiUrl(publicPreview(size, { hash: link.hash, ticket: link.ticket }, item)),
    [link.hash, link.ticket],
  )
  const open = (item: ResourceItem | undefined) => {
    if (!item) return
    // Before the history entry changes.
    place.remember({ name: item.name })
    void navigate(linkAddress(link, trustedChild(path, item.name)))
  }
  const onMore = () => {
    showMore()
    // The button is about to be removed.
    if (shown + more === all.length) grid.current?.focus()
  }
  const chosen = sizeOf(state.selected)
  const shared: Omit<VirtualGridProps, 'renderCells'> = {
    ref: grid,
    label: t('files.listing', { name }),
    count: rows.length,
    columns: COLUMNS,
    ...layoutOf(gallery, compact, coarse),
    initialOffset: place.offset ?? 0,
    state,
    onState: setState,
    singleClick: true,
    nameAt: index => rows[index]?.name ?? '',
    onOpen: index => open(rows[index]),
    onUp: () => void (path !== '/' && navigate(linkAddress(link, parentOf(path)))),
    draggable: mayDrag,
    dropAt: index => (edit && rows[index]?.isDir ? trustedChild(path, rows[index].name) : undefined),
    onDrag: drag,
    onMenu: ({ index }) => index >= 0 && setState(includeRow(state, index)),
    onScroll: offset => place.remember({ offset }),
  }
  const header = (
    <ListHeader
      sorting={sorting}
      onSort={by => setOrder(afterHeaderClick(order, by))}
      selected={chosen === 0 ? 'none' : chosen === rows.length ? 'all' : 'some'}
      onSelectAll={() => (chosen === rows.length ? setState({ ...state, selected: EMPTY }) : choice.selectAll())}
    />
  )
  return (
    <>
      {choice.active && canDownload ? (
        <SelectionBar
          selection={selection}
          onEnd={choice.end}
          onAll={choice.selectAll}
          onDownload={() => download(link, path, selection)}
          formats={isSingleFile(selection) ? [] : otherFormats(link, path, selection)}
        >
          {edit && (
            <LazyBoundary>
              <EditSelection link={link} edit={edit} name={folder.name} selection={selection} />
            </LazyBoundary>
          )}
        </SelectionBar>
      ) : (
        <div className={styles.bar}>
          {crumbs}
          <IconButton label={t(gallery ? 'views.list' : 'views.gallery')} onClick={() => setGallery(!gallery)}>
            {gallery ? <List size={18} aria-hidden /> : <Images size={18} aria-hidden />}
          </IconButton>
          {canDownload && (
            <Button kind="quiet" icon={<ListChecks size={18} aria-hidden />} onClick={choice.begin}>
              {t('publicShare.select')}
            </Button>
          )}
        </div>
      )}
      <div
        className={styles.list}
        role="presentation"
        data-listing=""
        data-drop={edit && path}
        data-compact={compact || undefined}
        data-selecting={(choice.active && canDownload) || undefined}
        onClickCapture={choice.onClickCapture}
      >
        <ThumbAddress value={thumbOf}>
          <LazyBoundary>
            {gallery ? (
              <Gallery {...shared} rows={rows} sizesCall={sizesCall} addressOf={addressOf} pictures />
            ) : (
              <VirtualGrid {...shared} header={header} renderCells={renderCells} />
            )}
          </LazyBoundary>
        </ThumbAddress>
      </div>
      {edit?.rights.includes('rename') && !coarse && (
        <LazyBoundary>
          <EditDrag {...{ link, edit, name: folder.name, onBegin }} />
        </LazyBoundary>
      )}
      {more > 0 && <LoadMore shown={shown} total={all.length} more={more} onMore={onMore} />}
    </>
  )
}

function layoutOf(gallery: boolean, compact: boolean, coarse: boolean) {
  const rowHeight = coarse || compact ? TOUCH_ROW : ROW
  return { rowHeight, headerHeight: gallery ? 0 : coarse ? TOUCH_HEADER : HEADER }
}

/** Focuses the current row, unless an element still in the page has the focus. */
function useFocusOnArrival(grid: { current: GridHandle | null }, focus: number): void {
  const arrived = useRef(false)
  useEffect(() => {
    if (arrived.current) return
    arrived.current = true
    grid.current?.reveal(focus)
    if (document.activeElement === document.body) grid.current?.focus()
  }, [grid, focus])
}

/** The visitor's setting for all folders; by default the folder's content decides. */
const chosen = createStore<boolean | undefined>(undefined)

/** Whether a shared folder is shown as a gallery: by default if most of its files are images or videos. */
function useGallery({ items }: FolderResource): { gallery: boolean; setGallery: (gallery: boolean) => void } {
  const files = items.filter(({ isDir }) => !isDir)
  const toSee = files.filter(({ type }) => type === 'image' || type === 'video')
  const gallery = useStore(chosen) ?? toSee.length * 2 > files.length
  return { gallery, setGallery: chosen.set }
}

interface LoadMoreProps {
  shown: number
  total: number
  /** Number of items the next click adds. */
  more: number
  onMore: () => void
}

/** Shows the number of visible items, and loads more. */
function LoadMore({ shown, total, more, onMore }: LoadMoreProps) {
  return (
    <div className={styles.more}>
      <p role="status">{t('publicShare.shown', { shown, total })}</p>
      <Button onClick={onMore}>{t('publicShare.showMore', { count: more })}</Button>
    </div>
  )
}

/** Number of visible items: 100, and 100 more each time. Stored with the history entry. */
function useLoadMore(total: number): { shown: number; more: number; showMore: () => void } {
  const { read, write } = useHistoryState<number>('shown')
  const [limit, setLimit] = useState(() => read() ?? SHARE_PAGE_ITEMS)
  const shown = Math.min(limit, total)
  const showMore = () => {
    write(limit + SHARE_PAGE_ITEMS)
    setLimit(limit + SHARE_PAGE_ITEMS)
  }
  return { shown, more: Math.min(SHARE_PAGE_ITEMS, total - shown), showMore }
}
