import { useEffect, useMemo, useRef, useState } from 'react'
import type { PictureSizes } from '../../../../../shared/api/picture-sizes.ts'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { encodeName } from '../../../../../shared/bytes.ts'
import { PICTURES_AT_ONCE } from '../../../../../shared/limits.ts'
import { apiJson } from '../../../../lib/api.ts'
import { SECTION } from './arrange.ts'
import { isMeasured } from './proportions.ts'

/** Sections that are measured ahead of the one in view. */
const AHEAD = 10
/** Characters of names in one request: proxies refuse longer addresses. */
const NAMES_LENGTH = 5000
/** Proportions remembered in this page. */
const MOST_KNOWN = 50_000

/** Width divided by height, by address, name and version; `null` where the server does not know it. */
const known = new Map<string, number | null>()

/** The call that answers the sizes of pictures, for names as `files` (http-api 6). */
export type SizesCall = (files: string) => string

export interface Proportions {
  /** Width divided by height; `null` where they are unknown, `undefined` until the server was asked. */
  of(item: ResourceItem): number | null | undefined
  /** Whether the server was asked for all pictures of a section. */
  isComplete(section: number): boolean
  /** Asks for those in view after it has moved. */
  follow(): void
}

/**
 * The proportions of the pictures of a folder, from the server: first of those in view, then of some below, one request
 * at a time. Where a request fails they stay unknown. The result changes whenever some were learned.
 * @param pictures the files of the folder
 * @param first index of the first one in view; a stable function
 */
export function useProportions(pictures: readonly ResourceItem[], call: SizesCall, first: () => number): Proportions {
  const resume = useRef<() => void>(undefined)
  const [learned, setLearned] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    let isBusy = false
    const work = async () => {
      if (isBusy) return
      isBusy = true
      for (let items = unknownNear(first(), pictures, call); items.length > 0 && !stop.signal.aborted; ) {
        await learn(items, call, stop.signal)
        setLearned(before => before + 1)
        items = unknownNear(first(), pictures, call)
      }
      isBusy = false
    }
    resume.current = () => void work()
    void work()
    return () => stop.abort()
  }, [pictures, call, first])
  // biome-ignore lint/correctness/useExhaustiveDependencies: learning changes what the functions answer
  return useMemo(() => {
    const complete = new Map<number, boolean>()
    const of = (item: ResourceItem) => (isMeasured(item) ? known.get(keyOf(item, call)) : null)
    return {
      of,
      isComplete(section) {
        const found = complete.get(section) ?? sectionOf(pictures, section).every(item => of(item) !== undefined)
        complete.set(section, found)
        return found
      },
      follow: () => resume.current?.(),
    }
  }, [pictures, call, learned])
}

const sectionOf = (pictures: readonly ResourceItem[], section: number) =>
  pictures.slice(section * SECTION, (section + 1) * SECTION)

/** The address of each call: making it for every item would cost more than the layout. */
const addresses = new WeakMap<SizesCall, string>()

function keyOf({ name, modified }: ResourceItem, call: SizesCall): string {
  const address = addresses.get(call) ?? call('')
  addresses.set(call, address)
  return `${address}\n${name}\n${modified}`
}

/** The next pictures to ask for: of the first section from the one in view on that has any. */
function unknownNear(first: number, pictures: readonly ResourceItem[], call: SizesCall): ResourceItem[] {
  const inView = Math.floor(Math.max(0, first) / SECTION)
  for (let section = inView; section < inView + AHEAD; section += 1) {
    const unknown = sectionOf(pictures, section).filter(item => isMeasured(item) && !known.has(keyOf(item, call)))
    if (unknown.length > 0) return fitting(unknown)
  }
  return []
}

function fitting(items: readonly ResourceItem[]): ResourceItem[] {
  let length = 0
  return items.slice(0, PICTURES_AT_ONCE).filter((item, index) => {
    length += encodeURIComponent(encodeName(item.name)).length + 3
    return index === 0 || length <= NAMES_LENGTH
  })
}

async function learn(items: readonly ResourceItem[], call: SizesCall, signal: AbortSignal): Promise<void> {
  const path = call(items.map(({ name }) => encodeName(name)).join(','))
  const sizes = await apiJson<PictureSizes>(path, { signal }).then(
    answer => answer.sizes,
    () => [],
  )
  if (signal.aborted) return
  if (known.size > MOST_KNOWN) known.clear()
  for (const [index, item] of items.entries()) {
    const [width, height] = sizes[index] ?? []
    known.set(keyOf(item, call), width && height ? width / height : null)
  }
}
