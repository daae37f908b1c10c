import { useEffect, useEffectEvent, useState } from 'react'
import type { Change } from '../../../../shared/api/changes.ts'
import { errorText } from '../../../lib/error-text.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import {
  type ChangesOptions,
  changesQuery,
  fetchChange,
  fetchOlderChanges,
  onChange,
  reloadChanges,
} from '../api/changes.ts'
import { type LoadedChanges, withChange, withFirstPage, withOlder } from './merge.ts'

export interface Changes extends LoadedChanges {
  isLoading: boolean
  /** Why the list could not be loaded. */
  error: unknown
  /** Whether a further page is being loaded. */
  isBusy: boolean
  retry(): void
  /** Loads the next page. */
  loadMore(): void
}

const NOTHING: LoadedChanges = { items: [], more: false }

/** Recorded changes, page by page; follows what changes. Give a list of other changes another `key`. */
export function useChanges(options: ChangesOptions): Changes {
  const { data, error, refetch } = useQuery(changesQuery(options))
  const [loaded, setLoaded] = useState<LoadedChanges>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (data) setLoaded(known => withFirstPage(known, data))
  }, [data])
  useFollowedChanges(change => setLoaded(known => known && withChange(known, change)))
  const loadMore = async () => {
    const last = loaded?.items.at(-1)
    if (!last || isBusy) return
    setBusy(true)
    try {
      const page = await fetchOlderChanges(options, last.id)
      setLoaded(known => known && withOlder(known, page))
    } catch (failure) {
      notify('error', errorText(failure))
    }
    setBusy(false)
  }
  return {
    ...(loaded ?? NOTHING),
    isLoading: !loaded,
    error: loaded ? undefined : error,
    isBusy,
    retry: () => void refetch(),
    loadMore: () => void loadMore(),
  }
}

/** Milliseconds between two loads: a job changes files all the time. */
const FOLLOW_EVERY = 1000

/** Loads the lists on the screen again when something changed. @param show gets changes that may be on an older page */
function useFollowedChanges(show: (change: Change) => void): void {
  const showNow = useEffectEvent(show)
  useEffect(() => {
    const ids = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      const changed = [...ids].slice(-MOST_FOLLOWED)
      ids.clear()
      await reloadChanges()
      for (const id of changed) await fetchChange(id).then(showNow, ignore)
      timer = undefined
      if (ids.size > 0) later()
    }
    const later = () => {
      timer ??= setTimeout(() => void load().catch(ignore), FOLLOW_EVERY)
    }
    const stop = onChange(id => {
      if (id !== undefined) ids.add(id)
      later()
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
}

/** Changes of one interval whose state is loaded one by one. */
const MOST_FOLLOWED = 10

/** It is not visible to the user, or the next event brings it. */
const ignore = () => undefined
