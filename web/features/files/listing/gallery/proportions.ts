import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { type PreviewedAs, previewedAs } from '../../../../../shared/previewed.ts'
import type { ListedItem } from '../../api/edit-listing.ts'

/** Width divided by height, of images whose size is unknown. */
const ASSUMED: Record<PreviewedAs, number> = {
  image: 4 / 3,
  bmp: 4 / 3,
  heic: 4 / 3,
  camera: 3 / 2,
  pdf: 3 / 4,
  cover: 1,
  video: 16 / 9,
}
const MEASURED = new Set<PreviewedAs | undefined>(['image', 'bmp', 'heic', 'camera'])
/** The narrowest and the widest tile; of an image beyond them only the middle is shown. */
const NARROWEST = 1 / 3
const WIDEST = 5

/** Whether the server may know the size of an image, or when it was taken. */
export const isMeasured = ({ name, isDir, cells }: ListedItem): boolean =>
  !isDir && !cells && MEASURED.has(previewedAs(name))

/** The proportions of a tile. @param known those of its image */
export function proportionsOf(item: ResourceItem, known: number | null | undefined): number {
  if (known) return Math.min(WIDEST, Math.max(NARROWEST, known))
  const kind = previewedAs(item.name)
  return kind === undefined ? 1 : ASSUMED[kind]
}
