import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '../../../lib/api.ts'
import { rawPath } from '../../files/api/resource.ts'

/** Bytes per page, and the number of pages cached. */
const PAGE = 16 * 1024
const KEPT = 64

export interface Bytes {
  /** The byte at an offset; `undefined` until it has been fetched. */
  at(offset: number): number | undefined
  /** Of the file, as last reported by the server. */
  size: number
  /** The error of pages in view. */
  error: unknown
  /** Retries all failed pages. */
  retry(): void
}

/** Page by number, least recently used first. */
type Pages = Map<number, Uint8Array>

/**
 * The bytes of a file from `from` up to and excluding `to`, fetched by range requests (RFC 9110, 14) as they come into
 * view.
 */
export function useBytes(path: string, known: number, from: number, to: number): Bytes {
  const pages = useRef<Pages>(new Map())
  const version = useRef<string>(undefined)
  const [size, setSize] = useState(known)
  /** Errors by page. Failed pages are requested again only on `retry`. */
  const [failures, setFailures] = useState<ReadonlyMap<number, unknown>>(new Map())
  const [, setLoaded] = useState(0)
  const first = Math.floor(from / PAGE)
  const last = Math.floor(Math.max(from, Math.min(to, size) - 1) / PAGE)
  useEffect(() => {
    if (size === 0) return
    const stop = new AbortController()
    const load = async (page: number) => {
      const answer = await fetchPage(path, page, stop.signal)
      if (version.current !== undefined && version.current !== answer.version) pages.current.clear()
      version.current = answer.version
      keep(pages.current, page, answer.bytes)
      setSize(answer.size)
      setLoaded(count => count + 1)
    }
    for (let page = first; page <= last; page += 1) {
      if (pages.current.has(page) || failures.has(page)) continue
      load(page).catch((failure: unknown) => {
        if (!stop.signal.aborted) setFailures(before => new Map(before).set(page, failure))
      })
    }
    return () => stop.abort()
  }, [path, first, last, size, failures])
  const failed = [...failures.keys()].find(page => page >= first && page <= last)
  return {
    at: offset => pages.current.get(Math.floor(offset / PAGE))?.[offset % PAGE],
    size,
    error: failed === undefined ? undefined : failures.get(failed),
    retry: () => setFailures(new Map()),
  }
}

function keep(pages: Pages, page: number, bytes: Uint8Array): void {
  pages.delete(page)
  pages.set(page, bytes)
  for (const oldest of pages.keys()) {
    if (pages.size <= KEPT) break
    pages.delete(oldest)
  }
}

async function fetchPage(path: string, page: number, signal: AbortSignal) {
  const start = page * PAGE
  const headers = { Range: `bytes=${start}-${start + PAGE - 1}` }
  const response = await api(rawPath(path, true), { headers, signal })
  // Without the permission to download, the response is 202 and empty.
  if (response.status === 202) throw new ApiError(403, 'forbidden')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const total = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1]
  return {
    bytes,
    size: total === undefined ? bytes.length : Number(total),
    version: response.headers.get('ETag') ?? '',
  }
}
