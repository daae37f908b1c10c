import { useCallback, useMemo, useRef } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { useCoarsePointer, useWindowClass } from '../../../../lib/media.ts'
import type { Geometry } from '../../../../ui/grid/geometry.ts'
import { VirtualGrid, type VirtualGridProps } from '../../../../ui/grid/virtual-grid.tsx'
import type { ListedItem } from '../../api/edit-listing.ts'
import { arrangeGallery, type GallerySizes, SECTION } from './arrange.ts'
import styles from './gallery.module.css'
import { proportionsOf } from './proportions.ts'
import { heightOf, useStep } from './steps.ts'
import { FolderChip, PictureTile } from './tiles.tsx'
import { usePinch } from './use-pinch.ts'
import { type SizesCall, useProportions } from './use-proportions.ts'

export interface GalleryProps extends Omit<VirtualGridProps, 'renderCells' | 'arrange' | 'tile' | 'header'> {
  /** Folders before files. */
  rows: readonly ListedItem[]
  /** A stable function. */
  sizesCall: SizesCall
  /** The address of an item; a stable function. */
  addressOf: (item: ResourceItem) => string
  /** Whether the user may see pictures. */
  pictures: boolean
  marks?: boolean
  menu?: boolean
}

/** Folders as chips, and below them pictures in rows of the same width, each in its proportions. */
export default function Gallery(props: GalleryProps) {
  const { rows, sizesCall, addressOf, pictures, marks, menu, onScroll, ...grid } = props
  const sizes = useSizes()
  const folders = useMemo(() => rows.findLastIndex(({ isDir }) => isDir) + 1, [rows])
  const files = useMemo(() => rows.slice(folders), [rows, folders])
  const offset = useRef(props.initialOffset)
  const geometry = useRef<Geometry>(undefined)
  const first = useCallback(() => {
    const shown = geometry.current
    return shown ? shown.rowsOf(shown.lineAt(offset.current))[0] - folders : 0
  }, [folders])
  const proportions = useProportions(files, sizesCall, first)
  const arrange = useCallback(
    (width: number) => {
      const ratios = files.map(item => proportionsOf(item, proportions.of(item)))
      geometry.current = arrangeGallery(folders, ratios, width, sizes)
      return geometry.current
    },
    [files, folders, proportions, sizes],
  )
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const item = rows[index]
      if (!item || item.cells) return item?.cells?.('mosaic gallery')
      const shared = { item, selected, to: addressOf(item), marks, menu }
      if (index < folders) return <FolderChip {...shared} />
      const placed = proportions.isComplete(Math.floor((index - folders) / SECTION))
      const ratio = proportions.of(item)
      const large = sizes.picture * Math.max(1, ratio ?? 1) > LARGE
      return <PictureTile {...shared} pictures={pictures} placed={placed} fits={ratio !== null} large={large} />
    },
    [sizes, rows, folders, proportions, addressOf, pictures, marks, menu],
  )
  const follow = (now: number) => {
    offset.current = now
    proportions.follow()
    onScroll?.(now)
  }
  const area = useRef<HTMLDivElement>(null)
  usePinch(area)
  return (
    <div ref={area} className={styles.area}>
      <VirtualGrid {...grid} arrange={arrange} renderCells={renderCells} onScroll={follow} />
    </div>
  )
}

/** Longest side, in CSS pixels, from which on a picture needs the larger preview. */
const LARGE = 560
const GAP = 8
const NARROW_GAP = 4
const CHIP = { height: 44, width: 200 }
const NARROW_CHIP = { height: 48, width: 140 }

function useSizes(): GallerySizes {
  const isNarrow = useWindowClass() === 'narrow'
  const isCoarse = useCoarsePointer()
  const step = useStep()
  return useMemo(
    () => ({
      picture: heightOf(step, isNarrow),
      chip: isNarrow || isCoarse ? NARROW_CHIP : CHIP,
      gap: isNarrow ? NARROW_GAP : GAP,
    }),
    [step, isNarrow, isCoarse],
  )
}
