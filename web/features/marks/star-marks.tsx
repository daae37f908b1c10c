import { useEffect } from 'react'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import { queryClient, useQuery } from '../../lib/query.ts'
import { onFoldersChanged } from '../files/api/list.ts'
import { starredStore } from '../files/items/starred.ts'
import { marksQuery } from './api/marks.ts'

/** Keeps the stars of the folder on the screen current. Renders nothing. */
export function StarMarks({ folder }: { folder: FilePath }) {
  const { data } = useQuery(marksQuery(folder))
  useEffect(() => {
    const names = Object.entries(data ?? {}).flatMap(([name, { star }]) => (star ? [name] : []))
    starredStore.set(new Set(names.map(name => trustedChild(folder, name))))
    return () => starredStore.set(new Set())
  }, [data, folder])
  useEffect(
    () => onFoldersChanged(() => void queryClient.invalidateQueries({ queryKey: marksQuery(folder).queryKey })),
    [folder],
  )
  return null
}
