import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { shownName } from '../../../../../shared/bytes.ts'
import { Glyph } from '../../../../ui/glyph.tsx'
import { Cell } from '../../../../ui/grid/cells.tsx'
import { CheckBox } from '../../../../ui/grid/check-cells.tsx'
import { RowLink } from '../../../../ui/grid/row-link.tsx'
import { isPending } from '../../api/edit-listing.ts'
import { hasThumb, Thumb } from '../../items/thumb.tsx'
import { Marks, RowMenu } from '../cells.tsx'
import { FolderPicture } from '../folder-picture.tsx'
import { colourImage } from './colour-image.ts'
import styles from './gallery.module.css'
import { type Month, monthName } from './months.ts'

interface TileProps {
  item: ResourceItem
  selected: boolean
  /** The address of the item. */
  to: string
  /** Whether stars, tags and links are marked. */
  marks?: boolean | undefined
  /** Whether an entry has a menu button. */
  menu?: boolean | undefined
}

/** A folder: its name next to its glyph. @param pictures whether pictures in it are shown */
export function FolderChip({ item, selected, to, pictures, marks, menu }: TileProps & { pictures: boolean }) {
  return (
    <Cell className={styles.chip}>
      <span className={styles.lead}>
        {pictures ? <FolderPicture folder={item} /> : <Glyph kind="folder" />}
        <CheckBox name={item.name} selected={selected} className={styles.box} />
      </span>
      <span className={styles.chipName} data-pending={isPending(item) || undefined}>
        <RowLink to={to} className={styles.name} title={shownName(item.name)}>
          {shownName(item.name)}
        </RowLink>
      </span>
      {marks && <Marks item={item} />}
      {menu && <RowMenu item={item} className={styles.menu} />}
    </Cell>
  )
}

interface PictureTileProps extends TileProps {
  /** Whether the user may see images. */
  pictures: boolean
  /** Whether the tile has its final place: until then its image waits. */
  placed: boolean
  /** Whether the tile has the proportions of the image; if not, the image is shown whole. */
  fits: boolean
  /** Whether it needs the larger preview, however dense the screen is. */
  large: boolean
  /** The month that begins with it, for screen readers. */
  month: Month | undefined
  /** Shown until the image is there; as in `PictureSizes`. */
  colours: string | null
}

/** A file as an image that fills its tile, with the name over it; other files with their glyph. */
export function PictureTile(props: PictureTileProps) {
  const { item, selected, to, marks, menu, pictures, placed, fits, large, month, colours } = props
  return (
    <Cell className={styles.tile}>
      {month && <span className="visually-hidden">{monthName(month)}</span>}
      <div
        className={styles.fill}
        data-picture={(pictures && hasThumb(item)) || undefined}
        data-whole={!fits || undefined}
        data-coloured={colours !== null || undefined}
        style={colours === null ? undefined : { backgroundImage: `url(${colourImage(colours)})` }}
      >
        <Thumb item={item} allowed={pictures && placed} large fills={large ? '1024' : '512'} />
      </div>
      <CheckBox name={item.name} selected={selected} className={styles.box} />
      <div className={styles.scrim} data-pending={isPending(item) || undefined}>
        <RowLink to={to} className={styles.name} title={shownName(item.name)}>
          {shownName(item.name)}
        </RowLink>
        {marks && <Marks item={item} />}
      </div>
      {menu && <RowMenu item={item} className={styles.menu} />}
    </Cell>
  )
}
