import { useEffect, useMemo, useState } from 'react'
import type { KeptItem, TrashPage } from '../../../shared/api/trash.ts'
import { errorText } from '../../lib/error-text.ts'
import { notify } from '../../lib/notices.ts'
import { keepPreviousData, useQuery } from '../../lib/query.ts'
import { fetchOlder, type TrashOptions, trashQuery } from './api/trash.ts'

export interface TrashList {
  /** Of the whole trash; `undefined` until it has loaded. */
  sum: { count: number; bytes: number } | undefined
  items: readonly KeptItem[]
  error: unknown
  retry(): void
  /** Loads the next page, if there is one. */
  more(): void
}

const NONE: readonly KeptItem[] = []

/** The trash, page by page; a changed first page starts from scratch. */
export function useTrash(options: TrashOptions): TrashList {
  const { data, error, refetch } = useQuery({ ...trashQuery(options), placeholderData: keepPreviousData })
  const [older, setOlder] = useState<readonly TrashPage[]>([])
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    // Of another list, or of the time before a change.
    if (data) setOlder([])
  }, [data])
  const items = useMemo(() => (data ? [data, ...older].flatMap(page => page.items) : NONE), [data, older])
  const more = async () => {
    const last = items.at(-1)
    if (busy || !last || !(older.at(-1) ?? data)?.more) return
    setBusy(true)
    try {
      const page = await fetchOlder(options, last.id)
      setOlder(known => [...known, page])
    } catch (failure) {
      notify('error', errorText(failure))
    }
    setBusy(false)
  }
  return {
    sum: data && { count: data.count, bytes: data.bytes },
    items,
    error: data ? undefined : error,
    retry: () => void refetch(),
    more: () => void more(),
  }
}
