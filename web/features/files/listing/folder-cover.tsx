import type { ReactNode } from 'react'
import type { FolderCover as Cover } from '../../../../shared/api/covers.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { extensionOf, type FilePath, parsePath, trustedChild } from '../../../../shared/path.ts'
import { useQuery } from '../../../lib/query.ts'
import { coverQuery } from '../api/cover.ts'
import { type Pictured, Thumb } from '../items/thumb.tsx'
import styles from './folder-cover.module.css'

interface FolderCoverProps {
  folder: ResourceItem
  /** The icon of the folder: shown alone where it has no pictures. */
  icon: ReactNode
}

/** The newest pictures in a folder, or its cover, with the icon of the folder in a corner. */
export default function FolderCover({ folder, icon }: FolderCoverProps) {
  const { data } = useQuery(coverQuery(folder))
  const pictures = data?.items ?? []
  if (pictures.length === 0) return icon
  const path = parsePath(folder.path)
  return (
    <span className={styles.cover}>
      <span className={styles.pictures} data-pictures={pictures.length}>
        {pictures.map(picture => (
          <Thumb key={picture.name} item={pictured(path, picture)} allowed />
        ))}
      </span>
      <span className={styles.icon}>{icon}</span>
    </span>
  )
}

const pictured = (folder: FilePath, { name, modified }: Cover['items'][number]): Pictured => ({
  ...{ path: trustedChild(folder, name), name, modified },
  ...{ type: 'image', isDir: false, extension: extensionOf(name) },
})
