import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { useLocale } from '../../../../lib/i18n/index.ts'
import { lazyTool } from '../../../../lib/lazy.ts'
import { useCoarsePointer, useWindowClass } from '../../../../lib/media.ts'
import { VirtualGrid, type VirtualGridProps } from '../../../../ui/grid/virtual-grid.tsx'
import { LazyBoundary } from '../../../../ui/lazy-boundary.tsx'
import type { ListedItem } from '../../api/edit-listing.ts'
import { arrangeGallery, type GalleryGeometry, type GallerySizes, isLong, sectionsOf } from './arrange.ts'
import styles from './gallery.module.css'
import { monthName } from './months.ts'
import { proportionsOf } from './proportions.ts'
import { heightOf, useStep } from './steps.ts'
import { FolderChip, PictureTile } from './tiles.tsx'
import { MOST_DATED, usePhotoMonths } from './use-photo-months.ts'
import { usePinch } from './use-pinch.ts'
import { type SizesCall, useProportions } from './use-proportions.ts'

const Timeline = lazyTool(() => import('./timeline.tsx'))

export interface GalleryProps extends Omit<VirtualGridProps, 'renderCells' | 'arrange' | 'tile' | 'header'> {
  /** Folders before files. */
  rows: readonly ListedItem[]
  /** A stable function. */
  sizesCall: SizesCall
  /** The address of an item; a stable function. */
  addressOf: (item: ResourceItem) => string
  /** Whether the user may see images. */
  pictures: boolean
  /** Whether the rows are in the order of their dates. */
  byDate?: boolean
  marks?: boolean
  menu?: boolean
}

/** Folders as chips, and below them images in rows of the same width, each in its proportions. */
export default function Gallery(props: GalleryProps) {
  const { rows, sizesCall, addressOf, pictures, byDate, marks, menu, onScroll, ...grid } = props
  useLocale()
  const sizes = useSizes()
  const offset = useRef(props.initialOffset)
  const { folders, proportions, months, waits, sections, geometry, arrange, ratios } = useArrangement(
    props,
    sizes,
    offset,
  )
  const firsts = useMemo(() => new Map(months.map(month => [month.from, month])), [months])
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const item = rows[index]
      if (!item || item.cells) return item?.cells?.('mosaic gallery')
      const shared = { item, selected, to: addressOf(item), marks, menu }
      if (index < folders) return <FolderChip {...shared} pictures={pictures && marks === true} />
      const at = index - folders
      const section = sections.findLast(({ from }) => from <= at)
      const placed = !waits && section !== undefined && proportions.isComplete(section.from, section.to)
      const ratio = proportions.of(item)
      const large = sizes.picture * Math.max(1, ratio ?? 1) > LARGE
      const colours = pictures ? proportions.coloursOf(item) : null
      const picture = { pictures, placed, fits: ratio !== null, large, month: firsts.get(at), colours }
      return <PictureTile {...shared} {...picture} />
    },
    [sizes, rows, folders, sections, firsts, waits, proportions, addressOf, pictures, marks, menu],
  )
  const between = useCallback(
    (lines: readonly number[]): ReactNode => {
      const shown = new Set(lines.map(line => (geometry.current?.rowsOf(line)[0] ?? 0) - folders))
      return months.map((month, at) => {
        const block = geometry.current?.months[at]
        const isShown = [...shown].some(index => index >= month.from && index < month.to)
        if (!block || !isShown) return null
        const style = { insetBlockStart: block.top, blockSize: block.end - block.top }
        return (
          <div key={month.from} className={styles.month} style={style} aria-hidden="true">
            <span className={styles.monthName}>{monthName(month)}</span>
          </div>
        )
      })
    },
    [months, folders, geometry],
  )
  const follow = (now: number) => {
    offset.current = now
    proportions.follow()
    onScroll?.(now)
  }
  const area = useRef<HTMLDivElement>(null)
  usePinch(area)
  const hasTimeline = isLong(months, ratios, sizes)
  return (
    <div ref={area} className={styles.area} data-timeline={hasTimeline || undefined}>
      <VirtualGrid {...grid} arrange={arrange} renderCells={renderCells} between={between} onScroll={follow} />
      {hasTimeline && (
        <div className={styles.timeline}>
          <LazyBoundary>
            <Timeline area={area} months={months} geometry={geometry} />
          </LazyBoundary>
        </div>
      )}
    </div>
  )
}

/** The files of a gallery with their proportions and months, and their arrangement in a width. */
function useArrangement(
  { rows, sizesCall, byDate = false }: GalleryProps,
  sizes: GallerySizes,
  offset: { readonly current: number },
) {
  const folders = useMemo(() => rows.findLastIndex(({ isDir }) => isDir) + 1, [rows])
  const files = useMemo(() => rows.slice(folders), [rows, folders])
  const geometry = useRef<GalleryGeometry>(undefined)
  const first = useCallback(() => {
    const shown = geometry.current
    return shown ? shown.rowsOf(shown.lineAt(offset.current))[0] - folders : 0
  }, [folders, offset])
  const proportions = useProportions(files, sizesCall, first, byDate && files.length <= MOST_DATED)
  const { months, waits } = usePhotoMonths(files, byDate, proportions, sizesCall)
  const sections = useMemo(() => sectionsOf(files.length, months), [files.length, months])
  const ratios = useMemo(() => files.map(item => proportionsOf(item, proportions.of(item))), [files, proportions])
  const arrange = useCallback(
    (width: number) => {
      geometry.current = arrangeGallery(folders, ratios, width, sizes, sections)
      return geometry.current
    },
    [folders, ratios, sections, sizes],
  )
  return { folders, proportions, months, waits, sections, ratios, geometry, arrange }
}

/** Longest side, in CSS pixels, from which on an image needs the larger preview. */
const LARGE = 560
const GAP = 8
const NARROW_GAP = 4
const CHIP = { height: 44, width: 200 }
const NARROW_CHIP = { height: 48, width: 140 }
const HEADING = 40

function useSizes(): GallerySizes {
  const isNarrow = useWindowClass() === 'narrow'
  const isCoarse = useCoarsePointer()
  const step = useStep()
  return useMemo(
    () => ({
      picture: heightOf(step, isNarrow),
      chip: isNarrow || isCoarse ? NARROW_CHIP : CHIP,
      gap: isNarrow ? NARROW_GAP : GAP,
      heading: HEADING,
    }),
    [step, isNarrow, isCoarse],
  )
}
