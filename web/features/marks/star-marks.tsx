import { type ReactNode, useEffect } from 'react'
import type { FolderMarks } from '../../../shared/api/marks.ts'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import { lazyHistory } from '../../lib/lazy.ts'
import { queryClient, useQuery } from '../../lib/query.ts'
import { useStore } from '../../lib/store.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { onFoldersChanged } from '../files/api/list.ts'
import { followedFolderStore, locksQuery } from '../files/api/locks.ts'
import { marksQuery } from '../files/api/marks.ts'
import { tagsQuery } from '../files/api/tags.ts'
import { rowMarksStore } from '../files/items/row-marks.ts'
import { starredStore } from '../files/items/starred.ts'
import { TagDots } from '../files/items/tag-dot.tsx'

const RemarkMarks = lazyHistory(() => import('./remark-marks.tsx'))
const LockMark = lazyHistory(() => import('../files/locks/lock-mark.tsx'))

/** Keeps the stars, and the marks of tags, notes, comments and locks, in the folder on the screen current. Renders nothing. */
export function StarMarks({ folder }: { folder: FilePath }) {
  const { data } = useQuery(marksQuery(folder))
  useEffect(() => {
    const names = Object.entries(data ?? {}).flatMap(([name, { star }]) => (star ? [name] : []))
    starredStore.set(new Set(names.map(name => trustedChild(folder, name))))
    return () => starredStore.set(new Set())
  }, [data, folder])
  useRowMarks(folder, data)
  useEffect(
    () => onFoldersChanged(() => void queryClient.invalidateQueries({ queryKey: marksQuery(folder).queryKey })),
    [folder],
  )
  return null
}

/** Keeps the marks of tags, notes, comments and locks in the rows of a folder current. */
function useRowMarks(folder: FilePath, marks: FolderMarks | undefined): void {
  const isFollowed = useStore(followedFolderStore) === folder
  const { data: locked } = useQuery({ ...locksQuery(folder), enabled: isFollowed })
  const isTagged = Object.values(marks ?? {}).some(({ tags }) => tags)
  const { data } = useQuery({ ...tagsQuery, enabled: isTagged })
  useEffect(() => {
    const rows = new Map<string, ReactNode[]>()
    const add = (path: string, mark: ReactNode) => rows.set(path, [...(rows.get(path) ?? []), mark])
    for (const [path, locks] of Map.groupBy(locked?.locks ?? [], lock => lock.path)) {
      add(
        path,
        <LazyBoundary key="locks">
          <LockMark locks={locks} />
        </LazyBoundary>,
      )
    }
    for (const [name, mark] of Object.entries(marks ?? {})) {
      const { tags, note, comments } = mark
      const shown = data?.items.filter(({ id }) => tags?.includes(id)) ?? []
      if (shown.length > 0) add(trustedChild(folder, name), <TagDots key="tags" tags={shown} />)
      if (note || comments)
        add(
          trustedChild(folder, name),
          <LazyBoundary key="remarks">
            <RemarkMarks mark={mark} />
          </LazyBoundary>,
        )
    }
    rowMarksStore.set(rows)
    return () => rowMarksStore.set(new Map())
  }, [marks, data, locked, folder])
}
