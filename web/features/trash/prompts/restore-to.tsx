import { useState } from 'react'
import { type FilePath, parentOf, parsePath, ROOT } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { knownFolder } from '../../files/api/list.ts'
import { DestinationDialog } from '../../files/operations/destination/dialog.tsx'
import { type Restorable, restoreItems } from '../restore.ts'

/** Asks for the folder into which items are restored. */
export default function RestoreToPrompt({ items }: { items: readonly Restorable[] }) {
  const [destination, setDestination] = useState<FilePath>(() => startOf(items))
  return (
    <DestinationDialog
      title={t('trash.restoreTo')}
      action={t('trash.bringBack')}
      value={destination}
      onChange={setDestination}
      onConfirm={() => void restoreItems(items, destination)}
    />
  )
}

/** The old folder of the first item if it is known to exist, else the topmost one. */
function startOf([first]: readonly Restorable[]): FilePath {
  const folder = first ? parentOf(parsePath(first.path)) : ROOT
  return knownFolder(folder) ? folder : ROOT
}
