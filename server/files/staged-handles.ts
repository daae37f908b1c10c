import type { FilePath } from '../../shared/path.ts'
import type { StorageDriver } from '../storage/driver.ts'

/** Begins the handle of what is staged in a place, and ends its folder: no path has it. */
const MARK = '//'

/** The handle of what is staged in a place: also found when the place is no longer the user's. */
export const handleIn = (folder: FilePath, inner: string): string => MARK + folder.slice(1) + MARK + inner

/** The folder of the served root in which it is staged; nothing for what is staged in the user's own scope. */
export function folderOfHandle(handle: string): FilePath | undefined {
  if (!handle.startsWith(MARK)) return undefined
  return `/${handle.slice(MARK.length, handle.indexOf(MARK, MARK.length))}` as FilePath
}

/** The handle as the store of the place knows it. */
export const innerHandle = (handle: string): string => handle.slice(handle.indexOf(MARK, MARK.length) + MARK.length)

/** A store that also removes what was staged in other places. @param served the whole served root */
export function withHandles(own: StorageDriver, served: StorageDriver): StorageDriver {
  const { resumable, trees } = own
  return {
    ...own,
    resumable: {
      ...resumable,
      async discard(name) {
        const folder = folderOfHandle(name)
        if (folder === undefined) return resumable.discard(name)
        return (await served.within(folder)).resumable.discard(innerHandle(name))
      },
    },
    ...(trees && {
      trees: {
        ...trees,
        async discard(staged) {
          const folder = folderOfHandle(staged)
          if (folder === undefined) return trees.discard(staged)
          return (await served.within(folder)).trees?.discard(innerHandle(staged))
        },
      },
    }),
  }
}
