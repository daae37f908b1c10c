import type { ResourceItem } from '../../../../shared/api/resources.ts'

/** Images in a row that may fail to load before a slideshow ends. */
const MAX_FAILURES = 10

/** The images after a place, then those before it. @param index of the place; -1 if it is not among the items */
export function picturesAfter(items: readonly ResourceItem[], index: number): ResourceItem[] {
  const around = [...items.slice(index + 1), ...items.slice(0, Math.max(0, index))]
  return around.filter(({ type, isDir }) => type === 'image' && !isDir)
}

/** The first image that loads; `undefined` if the first ten fail. @param load rejects where an image can't be shown */
export async function firstLoaded(
  pictures: readonly ResourceItem[],
  load: (picture: ResourceItem) => Promise<unknown>,
): Promise<ResourceItem | undefined> {
  for (const picture of pictures.slice(0, MAX_FAILURES)) {
    const isLoaded = await load(picture).then(
      () => true,
      () => false,
    )
    if (isLoaded) return picture
  }
  return undefined
}
