import { useEffect } from 'react'
import type { ReceivedGrant } from '../../../shared/api/grants.ts'
import type { OwnMount } from '../../../shared/api/mounts.ts'
import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import { type Action, allActions, registerActions } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { type PlaceEntry, placesStore } from '../../lib/other-places.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { filesUrl } from '../../lib/router.tsx'
import { sessionStore } from '../../lib/session.ts'
import { HardDrive, Inbox, LogOut } from '../../ui/icons.ts'
import { rightsIn } from './held-places.ts'

interface SharedEntryProps {
  folder: string | null
  items: readonly ReceivedGrant[]
  mounts: readonly OwnMount[]
}

/** Puts what others share, and folders of other roots, into the sidebar, and adds what the user can do with them. */
export default function SharedEntry({ folder, items, mounts }: SharedEntryProps) {
  useEffect(() => {
    if (!allActions().includes(leave)) registerActions([...allActions(), leave])
    const hall = folder === null ? undefined : (folder as FilePath)
    const shared: PlaceEntry[] =
      hall === undefined ? [] : [{ url: filesUrl(hall, true), icon: Inbox, label: () => t('grants.withMe') }]
    placesStore.set({
      entries: [...mounts.map(entryOf), ...shared],
      hall: shared[0]?.url,
      ...rightsIn({ folder: hall, items, mounts }, () => sessionStore.get().user?.perm.create ?? false),
    })
    return () => placesStore.set(undefined)
  }, [folder, items, mounts])
  return null
}

const entryOf = ({ path, rights }: OwnMount): PlaceEntry => ({
  url: filesUrl(path as FilePath, true),
  icon: HardDrive,
  label: () => shownName(nameOf(path as FilePath)),
  ...(rights.includes('create') && { drop: path }),
})

const leave: Action = {
  id: 'leaveShared',
  labelKey: 'grants.leave',
  icon: LogOut,
  group: 'selection',
  online: true,
  danger: true,
  visible({ user, selection: [item, ...others], route }) {
    if (user === null || item === undefined || others.length > 0 || route.name !== 'files') return false
    return placesStore.get()?.hall === filesUrl(parentOf(item.path.replace(/\/$/, '') as FilePath), true)
  },
  run({ selection: [item] }) {
    if (item) openPrompt('leaveShared', { item })
  },
}
