import { useState } from 'react'
import type { VersionItem, VersionsPage } from '../../../shared/api/versions.ts'
import { nameOf, parsePath } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatDate } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { queryClient, useQuery } from '../../lib/query.ts'
import { reloadFolders } from '../files/api/list.ts'
import { offerUndo } from '../files/operations/undo.ts'
import { changeVersion, fetchVersions, removeVersion, restoreVersion } from './api/versions.ts'

/** The versions of a file, and what can be done with them. */
export interface Versions {
  page: VersionsPage | undefined
  error: Error | null
  reload: () => void
  loadMore: () => void
  restore: (version: VersionItem) => Promise<void>
  copy: (version: VersionItem) => Promise<void>
  pin: (version: VersionItem, pinned: boolean) => Promise<void>
  name: (version: VersionItem, label: string) => Promise<void>
  remove: (version: VersionItem) => Promise<void>
}

const keyOf = (path: string) => ['versions', path]

/** What was done, and the id of the change. */
interface Done {
  text: string
  change?: string | undefined
}

export function useVersions(path: string): Versions {
  const [older, setOlder] = useState<readonly VersionItem[]>([])
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(path),
    queryFn: ({ signal }) => fetchVersions(path, undefined, signal),
    staleTime: 0,
  })
  const [hasMore, setHasMore] = useState(true)
  const items = [...(data?.items ?? []), ...older]
  const reload = () => {
    setOlder([])
    setHasMore(true)
    void refetch()
  }
  const settle = async (act: () => Promise<Done | undefined>) => {
    try {
      const done = await act()
      if (done) offerUndo(done.text, [done.change], { after: reload })
    } catch (thrown) {
      const isStale = thrown instanceof ApiError && thrown.status === 412
      notify('error', isStale ? t('versions.stale') : errorText(thrown))
    }
    reload()
  }
  return {
    page: data && { ...data, items, more: data.more && hasMore },
    error,
    reload,
    loadMore: () => {
      const last = items.at(-1)
      if (!last) return
      void settleMore(path, last.id, page => {
        setOlder([...older, ...page.items])
        setHasMore(page.more)
      })
    },
    restore: version =>
      settle(async () => {
        const { change } = await restoreVersion(path, data?.current.version ?? '', { id: version.id, how: 'replace' })
        for (const key of ['file', 'text']) void queryClient.invalidateQueries({ queryKey: [key, path] })
        void reloadFolders()
        return { text: t('versions.restored', { when: formatDate(version.modified) }), change }
      }),
    copy: version =>
      settle(async () => {
        const { path: made, change } = await restoreVersion(path, '', { id: version.id, how: 'copy' })
        void reloadFolders()
        return { text: t('versions.copied', { name: nameOf(parsePath(made)) }), change }
      }),
    pin: (version, pinned) => settle(() => changeVersion(version.id, { pinned }).then(() => undefined)),
    name: (version, label) => settle(() => changeVersion(version.id, { label }).then(() => undefined)),
    remove: version => settle(() => removeVersion(version.id).then(() => ({ text: t('versions.removed') }))),
  }
}

async function settleMore(path: string, before: string, show: (page: VersionsPage) => void): Promise<void> {
  try {
    show(await fetchVersions(path, before, new AbortController().signal))
  } catch (thrown) {
    notify('error', errorText(thrown))
  }
}
