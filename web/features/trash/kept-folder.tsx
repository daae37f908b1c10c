import { useCallback, useMemo } from 'react'
import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { nameOf, parentOf, ROOT, trustedChild } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { useWindowClass } from '../../lib/media.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { navigate } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { ReadOnlyFolder, useReadOnlyView } from '../files/read-only/read-only-folder.tsx'
import { type KeptPlace, keptUrl } from './api/trash.ts'
import { restoreItems } from './restore.ts'
import { PhoneBar, TrashBar } from './selection-bar.tsx'

interface KeptFolderProps {
  place: KeptPlace
  folder: FolderResource
  /** The element that the selection's actions cover. */
  strip: HTMLElement | null
}

/** A folder in the trash: to look into, and to restore parts of it. */
export function KeptFolder({ place, folder, strip }: KeptFolderProps) {
  const view = useReadOnlyView(folder)
  const compact = useWindowClass() === 'narrow'
  const { user } = useSession()
  const selection = useMemo(
    () => view.selected.map(item => ({ ...item, id: place.id, inner: trustedChild(place.path, item.name) })),
    [view.selected, place],
  )
  const count = selection.length
  const commands =
    user?.perm.create && count > 0
      ? {
          restore: () => void restoreItems(selection),
          restoreTo: () => openPrompt('restoreTo', { items: selection }),
        }
      : {}
  useShortcuts('listing', [{ keys: 'Ctrl+Enter', run: () => (commands.restore ? commands.restore() : false) }])
  const addressOf = useCallback(
    (item: ResourceItem) => keptUrl({ ...place, path: trustedChild(place.path, item.name) }, item.isDir),
    [place],
  )
  const up = place.path === ROOT ? '/trash/' : keptUrl({ ...place, path: parentOf(place.path) }, true)
  return (
    <>
      {count > 0 && (
        <TrashBar
          strip={strip}
          count={count}
          commands={commands}
          compact={compact}
          onEnd={view.clearSelection}
          onAll={view.selectAll}
        />
      )}
      <ReadOnlyFolder
        view={view}
        label={t('files.listing', { name: nameOf(place.path) || folder.name })}
        addressOf={addressOf}
        onUp={() => void navigate(up)}
      />
      {compact && count > 0 && <PhoneBar commands={commands} />}
    </>
  )
}
