import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { MOSAIC_WIDTH } from '../../../../shared/limits.ts'
import { Cell } from '../../../ui/grid/cells.tsx'
import { CheckBox } from '../../../ui/grid/check-cells.tsx'
import type { GridLayout } from '../../../ui/grid/geometry.ts'
import { RowLink } from '../../../ui/grid/row-link.tsx'
import { isPending } from '../api/edit-listing.ts'
import { Thumb } from '../items/thumb.tsx'
import { type CellOptions, Marks, Modified, RowMenu, Size } from './cells.tsx'
import { FolderPicture } from './folder-picture.tsx'
import styles from './tiles.module.css'

const GAP = 12
/** Height of a card, in CSS pixels. */
export const CARD_HEIGHT = 72

/** Cards per row. */
export const MOSAIC: GridLayout['tile'] = { width: MOSAIC_WIDTH, gap: GAP }

interface TileProps extends CellOptions {
  item: ResourceItem
  selected: boolean
  /** The address of the item. */
  to: string
  /** Whether an entry has a menu button. */
  menu?: boolean
}

/** An entry as a card: thumbnail, name, size and date. */
export function MosaicTile({ item, selected, to, exactDates, pictures, marks, menu }: TileProps) {
  return (
    <Cell className={styles.card}>
      <div className={styles.cardPicture}>
        {item.isDir && pictures && marks ? (
          <FolderPicture folder={item} large />
        ) : (
          <Thumb item={item} allowed={pictures ?? false} large />
        )}
        <CheckBox name={item.name} selected={selected} className={styles.box} />
      </div>
      <div className={styles.texts} data-pending={isPending(item) || undefined}>
        <RowLink to={to} className={styles.name} title={shownName(item.name)}>
          {shownName(item.name)}
        </RowLink>
        <p className={styles.meta}>
          {!item.isDir && (
            <>
              <Size item={item} />
              <span aria-hidden="true"> · </span>
            </>
          )}
          <Modified item={item} exactDates={exactDates} />
          {marks && <Marks item={item} />}
        </p>
      </div>
      {menu && <RowMenu item={item} className={styles.menu} />}
    </Cell>
  )
}
