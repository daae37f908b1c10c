import type { ComponentType, ReactNode } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { ViewMode } from '../../../../shared/views.ts'
import { Glyph, kindOf } from '../../../ui/glyph.tsx'
import { Cell } from '../../../ui/grid/cells.tsx'
import type { ListedItem } from '../api/edit-listing.ts'
import cells from './cells.module.css'
import { FileName } from './cells.tsx'
import gallery from './gallery/gallery.module.css'
import styles from './pale-cells.module.css'
import tiles from './tiles.module.css'

/** The row of an item that is not there yet. @param Note what follows its name */
export function paleRow(item: ResourceItem, Note: ComponentType = Nothing): ListedItem {
  return { ...item, cells: view => <PaleCells item={item} view={view} note={<Note />} /> }
}

const Nothing = () => null

function PaleCells({ item, view, note }: { item: ResourceItem; view: ViewMode; note: ReactNode }) {
  const name = (
    <>
      <FileName name={item.name} />
      {note}
    </>
  )
  if (view === 'list')
    return (
      <Cell className={cells.name}>
        <span className={`${cells.handle} ${styles.pale}`}>
          <Glyph kind={kindOf(item)} />
          {name}
        </span>
      </Cell>
    )
  if (view === 'mosaic')
    return (
      <Cell className={`${tiles.card} ${styles.pale}`}>
        <div className={tiles.cardPicture}>
          <Glyph kind={kindOf(item)} large />
        </div>
        <div className={tiles.texts}>{name}</div>
      </Cell>
    )
  if (item.isDir)
    return (
      <Cell className={`${gallery.chip} ${styles.pale}`}>
        <Glyph kind={kindOf(item)} />
        {name}
      </Cell>
    )
  return (
    <Cell className={`${gallery.tile} ${styles.pale}`}>
      <div className={gallery.fill}>
        <Glyph kind={kindOf(item)} large />
      </div>
      <div className={gallery.scrim}>{name}</div>
    </Cell>
  )
}
