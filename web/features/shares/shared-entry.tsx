import { useEffect } from 'react'
import type { ReceivedGrant } from '../../../shared/api/grants.ts'
import { type FilePath, isWithin, parentOf } from '../../../shared/path.ts'
import { type Action, allActions, registerActions } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { filesUrl, type Route } from '../../lib/router.tsx'
import { type SharedWithMe, sharedStore } from '../../lib/shared-with-me.ts'
import { Inbox, LogOut } from '../../ui/icons.ts'

interface SharedEntryProps {
  folder: string
  items: readonly ReceivedGrant[]
}

/** Puts what others share into the sidebar, and adds what the user can do with it. */
export default function SharedEntry({ folder, items }: SharedEntryProps) {
  useEffect(() => {
    if (!allActions().includes(leave)) registerActions([...allActions(), leave])
    sharedStore.set(sharedIn(folder as FilePath, items))
    return () => sharedStore.set(undefined)
  }, [folder, items])
  return null
}

function sharedIn(folder: FilePath, items: readonly ReceivedGrant[]): SharedWithMe {
  const rightsAt = (route: Route) => {
    if (route.name !== 'files' || !isWithin(route.path, folder)) return undefined
    return items.find(({ path }) => isWithin(route.path, path as FilePath))?.rights ?? []
  }
  return {
    url: filesUrl(folder, true),
    icon: Inbox,
    label: () => t('grants.withMe'),
    mayCreateAt: route => rightsAt(route)?.includes('create') ?? true,
    userAt(user, route) {
      const rights = rightsAt(route)
      if (!rights) return user
      const has = (name: (typeof rights)[number]) => rights.includes(name)
      const isTop = route.name === 'files' && route.path === folder
      const given = { rename: has('rename'), modify: has('modify'), delete: has('delete') }
      // What is shared is copied to one's own files, so the right to create stays.
      const perm = { ...user.perm, ...given, download: has('download') || isTop, share: false, execute: false }
      return { ...user, perm }
    },
  }
}

const leave: Action = {
  id: 'leaveShared',
  labelKey: 'grants.leave',
  icon: LogOut,
  group: 'selection',
  online: true,
  danger: true,
  visible({ user, selection: [item, ...others], route }) {
    if (user === null || item === undefined || others.length > 0 || route.name !== 'files') return false
    return sharedStore.get()?.url === filesUrl(parentOf(item.path.replace(/\/$/, '') as FilePath), true)
  },
  run({ selection: [item] }) {
    if (item) openPrompt('leaveShared', { item })
  },
}
