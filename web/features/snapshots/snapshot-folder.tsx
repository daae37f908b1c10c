import { useCallback, useEffect, useMemo } from 'react'
import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { nameOf, parentOf, ROOT, trustedChild } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { navigate } from '../../lib/router.tsx'
import { type SnapshotPlace, snapshotUrl } from '../files/api/snapshots.ts'
import { ReadOnlyFolder, useReadOnlyView } from '../files/read-only/read-only-folder.tsx'

interface SnapshotFolderProps {
  place: SnapshotPlace
  folder: FolderResource
  onSelect: (items: readonly ResourceItem[]) => void
}

/** A folder in a snapshot, to look into and to select from. */
export function SnapshotFolder({ place: { at, path }, folder, onSelect }: SnapshotFolderProps) {
  const view = useReadOnlyView(folder)
  const selection = useMemo(
    () => view.selected.map(item => ({ ...item, path: trustedChild(path, item.name) })),
    [view.selected, path],
  )
  useEffect(() => onSelect(selection), [onSelect, selection])
  const addressOf = useCallback(
    (item: ResourceItem) => snapshotUrl({ at, path: trustedChild(path, item.name) }, item.isDir),
    [at, path],
  )
  return (
    <ReadOnlyFolder
      view={view}
      label={t('files.listing', { name: nameOf(path) || t('files.home') })}
      addressOf={addressOf}
      onUp={() => path !== ROOT && void navigate(snapshotUrl({ at, path: parentOf(path) }, true))}
    />
  )
}
