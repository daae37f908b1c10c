import { type ComponentType, useEffect } from 'react'
import type { FileResource } from '../../../../shared/api/resources.ts'
import { queryClient } from '../../../lib/query.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { loadShared, type SharedBytes, saveShared } from '../api/edit.ts'
import { type Link, pathOf } from '../link.ts'
import { refusalText } from './change.ts'

/** Milliseconds between two renewals of a ticket, which lasts an hour. */
const RENEWED_EVERY = 20 * 60_000

/** What edits the text of a file. */
export type TextEditor = ComponentType<{
  name: string
  size: number
  file: {
    id: string
    load: (signal?: AbortSignal) => Promise<SharedBytes>
    save: (file: SharedBytes) => Promise<string>
    refusalText: (error: unknown) => string
  }
  onClose: () => void
}>

interface EditedTextProps {
  link: Link
  file: FileResource
  folders: LinkFolders
  editor: TextEditor
  onClose: () => void
}

/** The text of a file that a visitor changes; saved through the link. */
export default function EditedText({ link, file, folders, editor: Editor, onClose }: EditedTextProps) {
  const path = pathOf(file)
  const isLocked = link.ticket !== undefined
  useEffect(() => {
    if (!isLocked) return
    const timer = setInterval(() => void folders.reload(), RENEWED_EVERY)
    return () => clearInterval(timer)
  }, [isLocked, folders])
  const close = () => {
    queryClient.removeQueries({ queryKey: ['public', 'text'] })
    void folders.reload()
    onClose()
  }
  return (
    <Editor
      name={file.name}
      size={file.size}
      file={{
        id: `${link.hash}${path}`,
        load: signal => loadShared(link, path, signal),
        save: bytes => saveShared(link, path, bytes),
        refusalText: error => refusalText(error),
      }}
      onClose={close}
    />
  )
}
