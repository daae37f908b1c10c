import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, isWithin, parentOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import type { TransferAction } from '../api/resource.ts'

/** Asks for the destination of items. */
export function transferTitle(action: TransferAction, items: readonly ResourceItem[]): string {
  const [first] = items
  if (items.length === 1 && first)
    return t(action === 'copy' ? 'picker.copyOne' : 'picker.moveOne', { name: first.name })
  return t(action === 'copy' ? 'picker.copyMany' : 'picker.moveMany', { count: items.length })
}

/** Why these items can't go there; `undefined` when they can. */
export function transferProblem(
  action: TransferAction,
  items: readonly ResourceItem[],
  to: FilePath,
): string | undefined {
  if (items.some(item => item.isDir && isWithin(to, parsePath(item.path)))) return t('files.reasonIntoItself')
  const isHere = action === 'move' && items.every(({ path }) => parentOf(parsePath(path)) === to)
  return isHere ? t('transfer.alreadyHere', { count: items.length }) : undefined
}
