import { type CSSProperties, useRef } from 'react'
import type { SizedItem } from '../../../shared/api/sizes.ts'
import { shownName } from '../../../shared/bytes.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useWidth } from '../../ui/grid/use-width.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { kindByName } from '../files/items/kind-by-name.ts'
import styles from './sizes.module.css'
import { type Box, squarify } from './squarify.ts'

/** Number of separate tiles; smaller items share one. */
const TILES = 40
/** CSS pixels, as in the style sheet. */
const HEIGHT = 280

interface TreemapProps {
  items: readonly SizedItem[]
  /** Total bytes in the folder. */
  total: number
  onOpen: (item: SizedItem) => void
}

/** Sizes as areas, largest first. */
export function Treemap({ items, total, onOpen }: TreemapProps) {
  const map = useRef<HTMLDivElement>(null)
  const aspect = Math.max(0.5, useWidth(map) / HEIGHT)
  const shown = items.slice(0, TILES).filter(({ bytes }) => bytes > 0)
  const rest = total - shown.reduce((sum, { bytes }) => sum + bytes, 0)
  const boxes = squarify([...shown.map(({ bytes }) => bytes), Math.max(0, rest)], aspect)
  const restBox = boxes[shown.length]
  return (
    <div ref={map}>
      <Toolbar label={t('actions.sizes')} className={styles.map}>
        {shown.map((item, index) => (
          <button
            key={item.name}
            type="button"
            className={styles.tile}
            data-kind={kindByName(item.name, item.isDir)}
            style={placeOf(boxes[index])}
            title={`${shownName(item.name)}, ${formatBytes(item.bytes)}`}
            onClick={() => onOpen(item)}
          >
            <TileText item={item} />
          </button>
        ))}
        {rest > 0 && restBox && <div className={styles.rest} style={placeOf(restBox)} aria-hidden="true" />}
      </Toolbar>
    </div>
  )
}

function TileText({ item }: { item: SizedItem }) {
  return (
    <span className={styles.tileText}>
      <bdi className={styles.tileName}>{shownName(item.name)}</bdi>
      <span className={styles.tileSize}>{formatBytes(item.bytes)}</span>
    </span>
  )
}

const percent = (share: number) => `${share * 100}%`

function placeOf(box: Box | undefined): CSSProperties {
  if (!box) return {}
  const { start, top, width, height } = box
  return {
    insetInlineStart: percent(start),
    insetBlockStart: percent(top),
    inlineSize: percent(width),
    blockSize: percent(height),
  }
}
