import { useEffect } from 'react'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import { queryClient, useQuery } from '../../lib/query.ts'
import { folderQuery, onFoldersChanged } from '../files/api/list.ts'
import { starredStore } from '../files/items/starred.ts'
import { marksQuery } from './api/marks.ts'

/** Keeps the stars of the folder on the screen current, once its listing has loaded. Renders nothing. */
export default function StarMarks({ folder }: { folder: FilePath }) {
  const { data: listing } = useQuery({ ...folderQuery(folder), enabled: false })
  const { data } = useQuery({ ...marksQuery(folder), enabled: listing !== undefined })
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
