import { type Dispatch, type SetStateAction, useEffect } from 'react'
import { apiUrl } from '../../../lib/api.ts'
import { currentRoute, navigate } from '../../../lib/router.tsx'
import { type BeginDrag, dragWith } from '../../files/listing/drag/drag.ts'
import { publicPath } from '../api/addresses.ts'
import { type Link, linkAddress, pathOf } from '../link.ts'
import { begin } from './begin.ts'
import { moveItems } from './change.ts'
import type { Edit } from './edit.ts'

interface EditDragProps {
  link: Link
  edit: Edit
  /** The name of the shared folder. */
  name: string
  /** Takes what begins a drag. */
  onBegin: Dispatch<SetStateAction<BeginDrag | undefined>>
}

/** Lets a visitor drag items into folders of the link. Renders nothing. */
export default function EditDrag({ link, edit, name, onBegin }: EditDragProps) {
  useEffect(() => {
    onBegin(() => dragWithin(link, edit, name))
    return () => onBegin(undefined)
  }, [link, edit, name, onBegin])
  return null
}

const dragWithin = (link: Link, { folders }: Edit, name: string): BeginDrag =>
  dragWith({
    may: copy => !copy,
    drop: (items, to) => begin(link, () => void moveItems(link, folders, { items, to, name })),
    isShown(folder) {
      const route = currentRoute()
      return route.name === 'share' && route.path === folder
    },
    show: folder => void navigate(linkAddress(link, folder)),
    address: file => apiUrl(publicPath('dl', link.hash, pathOf(file), { token: link.ticket })),
  })
