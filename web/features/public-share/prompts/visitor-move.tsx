import { useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, nameOf, parentOf } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { commonFolder } from '../../files/items/common-folder.ts'
import { DestinationDialog } from '../../files/operations/destination/dialog.tsx'
import { transferProblem, transferTitle } from '../../files/operations/transfer-texts.ts'
import { createSharedFolder } from '../api/edit.ts'
import { moveItems, refusalText } from '../edit/change.ts'
import type { Link } from '../link.ts'

interface VisitorMoveProps {
  link: Link
  folders: LinkFolders
  /** The name of the shared folder. */
  name: string
  items: readonly ResourceItem[]
  /** Whether the link lets visitors make folders. */
  mayCreate: boolean
}

/** Prompts a visitor for a folder of the link. */
export default function VisitorMovePrompt({ link, folders, name, items, mayCreate }: VisitorMoveProps) {
  const [destination, setDestination] = useState<FilePath>(() => commonFolder(items))
  const problem = transferProblem('move', items, destination)
  return (
    <DestinationDialog
      title={transferTitle('move', items)}
      action={t('picker.move')}
      value={destination}
      onChange={setDestination}
      isRefused={problem !== undefined}
      hint={problem}
      onConfirm={() => void moveItems(link, folders, { items, to: destination, name })}
      others={{
        source: { top: name, key: ['public', link.hash, 'tree'], list: folders.list },
        mayCreate,
        known: folders.known,
        make: path => makeFolder(link, folders, path),
      }}
    />
  )
}

/** @returns why the folder was not made. The call takes an existing folder for a new one, so the names are read first. */
async function makeFolder(link: Link, folders: LinkFolders, path: FilePath): Promise<string | undefined> {
  const name = nameOf(path)
  try {
    const items = await folders.list(parentOf(path))
    if (items.some(item => item.name === name)) return t('files.nameTaken', { name })
    await createSharedFolder(link, path)
    await folders.reload()
  } catch (error) {
    return refusalText(error, name)
  }
}
