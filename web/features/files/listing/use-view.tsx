import { type ReactNode, useCallback } from 'react'
import type { FilePath } from '../../../../shared/path.ts'
import { useUserHere } from '../../../lib/actions.ts'
import { useCoarsePointer, useWindowClass } from '../../../lib/media.ts'
import { filesUrl } from '../../../lib/router.tsx'
import type { GridLayout } from '../../../ui/grid/geometry.ts'
import type { ListedItem } from '../api/edit-listing.ts'
import { type CellOptions, FileCells } from './cells.tsx'
import { type Columns, DEFAULT_COLUMNS, useColumns } from './columns.ts'
import { type Density, useDensity } from './density.ts'
import { useViewMode } from './preferences.ts'
import { CARD_HEIGHT, MOSAIC, MosaicTile } from './tiles.tsx'

const ROWS: Record<Density, number> = { comfortable: 40, compact: 32 }
const TOUCH_ROW = 56
const HEADER = 36
const TOUCH_HEADER = 48
/** Space to start a rubber band in, or to click next to all entries. */
const FOOT = 24
const FLOATING_FOOT = 88

/** The dimensions of the current view, in CSS pixels. */
export interface ListingLayout {
  rowHeight: number
  /** `undefined` in the list. */
  tile: GridLayout['tile']
  /** Whether images have rows of their own proportions instead. */
  gallery: boolean
  /** 0 where there are no columns: for tiles, and on narrow screens, where a row has two lines. */
  headerHeight: number
  /** Free space at the end, for the floating action button. */
  footHeight: number
}

/** The layout of a folder; re-renders when view, density, window or pointer change. */
export function useListingLayout(path: FilePath): ListingLayout {
  const viewMode = useViewMode(path)
  const narrow = useWindowClass() === 'narrow'
  const coarse = useCoarsePointer()
  const density = useDensity()
  const footHeight = narrow ? FLOATING_FOOT : FOOT
  const gallery = viewMode === 'mosaic gallery'
  if (viewMode !== 'list') return { rowHeight: CARD_HEIGHT, tile: MOSAIC, gallery, headerHeight: 0, footHeight }
  const rowHeight = coarse || narrow ? TOUCH_ROW : ROWS[density]
  const headerHeight = narrow ? 0 : coarse ? TOUCH_HEADER : HEADER
  return { rowHeight, tile: undefined, gallery, headerHeight, footHeight }
}

/** The columns of the list here: on narrow screens, where a row has two lines, the default ones. */
export function useListColumns(): Columns {
  const chosen = useColumns()
  return useWindowClass() === 'narrow' ? DEFAULT_COLUMNS : chosen
}

/** Renders a row for the grid; a stable function while nothing changes for any row. */
export function useRenderCells(
  rows: readonly ListedItem[],
  tiles: boolean,
  draggable: boolean,
): (index: number, selected: boolean) => ReactNode {
  const columns = useListColumns().shown
  const user = useUserHere()
  const exactDates = user?.dateFormat ?? false
  const pictures = user?.perm.download ?? false
  return useCallback(
    (index, selected) => {
      const item = rows[index]
      if (!item || item.cells) return item?.cells?.(tiles ? 'mosaic' : 'list')
      const to = filesUrl(item.path, item.isDir)
      const options: CellOptions = { exactDates, pictures, marks: true }
      if (tiles) return <MosaicTile item={item} selected={selected} to={to} menu {...options} />
      const list = { draggable, columns, ...options }
      return <FileCells item={item} selected={selected} to={to} menu {...list} />
    },
    [rows, tiles, exactDates, pictures, draggable, columns],
  )
}
