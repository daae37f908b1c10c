import type { FolderResource } from '../../../shared/api/resources.ts'
import { createStore, useStore } from '../../lib/store.ts'

/** The visitor's setting for all folders; by default the folder's content decides. */
const chosen = createStore<boolean | undefined>(undefined)

/** Whether a shared folder is shown as a gallery: by default if most of its files are images or videos. */
export function useGallery({ items }: FolderResource): { gallery: boolean; setGallery: (gallery: boolean) => void } {
  const files = items.filter(({ isDir }) => !isDir)
  const toSee = files.filter(({ type }) => type === 'image' || type === 'video')
  const gallery = useStore(chosen) ?? toSee.length * 2 > files.length
  return { gallery, setGallery: chosen.set }
}
