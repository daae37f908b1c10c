import type { ComponentType } from 'react'
import type { EditRight } from '../../../../shared/api/shares.ts'
import type { FilePath } from '../../../../shared/path.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'

/** What uploads files of visitors: its button, and the card that shows what is under way. */
export interface UploadParts {
  Button: ComponentType<{
    hash: string
    folders: LinkFolders
    folder: FilePath
    name: string
    begin: (act: () => void) => void
  }>
  Card: ComponentType<{
    hash: string
    ticket: string | undefined
    rights: readonly EditRight[]
    isNamed: boolean
    folders: LinkFolders
  }>
}

/** What a visitor of a link to edit may change, and how. */
export interface Edit {
  rights: readonly EditRight[]
  folders: LinkFolders
  UploadButton: UploadParts['Button']
}
