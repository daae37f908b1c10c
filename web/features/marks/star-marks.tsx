import { useEffect } from 'react'
import type { FolderMarks } from '../../../shared/api/marks.ts'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import { queryClient, useQuery } from '../../lib/query.ts'
import { onFoldersChanged } from '../files/api/list.ts'
import { marksQuery } from '../files/api/marks.ts'
import { tagsQuery } from '../files/api/tags.ts'
import { starredStore } from '../files/items/starred.ts'
import { TagDots } from '../files/items/tag-dot.tsx'
import { tagDotsStore } from '../files/items/tag-dots.ts'

/** Keeps the stars and the tags of the folder on the screen current. Renders nothing. */
export function StarMarks({ folder }: { folder: FilePath }) {
  const { data } = useQuery(marksQuery(folder))
  useEffect(() => {
    const names = Object.entries(data ?? {}).flatMap(([name, { star }]) => (star ? [name] : []))
    starredStore.set(new Set(names.map(name => trustedChild(folder, name))))
    return () => starredStore.set(new Set())
  }, [data, folder])
  useTagDots(folder, data)
  useEffect(
    () => onFoldersChanged(() => void queryClient.invalidateQueries({ queryKey: marksQuery(folder).queryKey })),
    [folder],
  )
  return null
}

/** Keeps the dots of tags in the rows of a folder current. */
function useTagDots(folder: FilePath, marks: FolderMarks | undefined): void {
  const isTagged = Object.values(marks ?? {}).some(({ tags }) => tags)
  const { data } = useQuery({ ...tagsQuery, enabled: isTagged })
  useEffect(() => {
    const dots = Object.entries(marks ?? {}).flatMap(([name, { tags }]) => {
      const shown = data?.items.filter(({ id }) => tags?.includes(id)) ?? []
      return shown.length > 0 ? [[trustedChild(folder, name), <TagDots key="tags" tags={shown} />] as const] : []
    })
    tagDotsStore.set(new Map(dots))
    return () => tagDotsStore.set(new Map())
  }, [marks, data, folder])
}
