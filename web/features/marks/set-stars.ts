import type { ResourceItem } from '../../../shared/api/resources.ts'
import { announce } from '../../lib/announce.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { starredStore } from '../files/items/starred.ts'
import { putStar, reloadStars } from './api/marks.ts'

/** Stars items, or removes their stars. Never rejects. */
export async function setStars(items: readonly Pick<ResourceItem, 'path'>[], isOn: boolean): Promise<void> {
  const before = starredStore.get()
  const paths = items.map(({ path }) => path)
  const others = [...before].filter(path => !paths.includes(path))
  starredStore.set(new Set(isOn ? [...others, ...paths] : others))
  try {
    // One after the other: that is their order in the list.
    for (const path of paths) await putStar(path, isOn)
    announce(t(isOn ? 'marks.added' : 'marks.removed'))
  } catch (error) {
    starredStore.set(before)
    notify('error', errorText(error))
  }
  await reloadStars()
}
