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

/** By address, name and version. */
const known = new Map<string, PictureFacts>()

/** The call that answers the sizes of images, for names as `files` (http-api 6). */
export type SizesCall = (files: string) => string

/** What the server answers about an image. */
interface PictureFacts {
  /** Width divided by height. */
  ratio: number | null
  /** Milliseconds since the epoch, by the local time. */
  taken: number | null
  /** As in the response. */
  colours: string | null
}

export interface Proportions {
  /** Width divided by height; `null` where they are unknown, `undefined` until the server was asked. */
  of(item: ResourceItem): number | null | undefined
  /** The colours of its preview, as in the response. */
  coloursOf(item: ResourceItem): string | null
  /** When it was taken, or else modified, in milliseconds since the epoch; another function once more is known. */
  dateOf(item: Pick<ResourceItem, 'name' | 'modified'>): number
  /** Whether the server was asked for all images from one to before another. */
  isComplete(from: number, to: number): boolean
  /** Asks for those in view after it has moved. */
  follow(): void
}

/**
 * The proportions of the images of a folder, from the server: first of those in view, then of some below, one request
 * at a time. Where a request fails they stay unknown. The result changes whenever some were learned.
 * @param images the files of the folder
 * @param first index of the first one in view; a stable function
 * @param all whether it asks for all of them in the end
 */
export function useProportions(
  pictures: readonly ResourceItem[],
  call: SizesCall,
  first: () => number,
  all: boolean,
): Proportions {
  const resume = useRef<() => void>(undefined)
  const [learned, setLearned] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    let isBusy = false
    const next = () =>
      unknownNear(first(), pictures, call) ?? (all ? unknownNear(0, pictures, call, pictures.length) : undefined)
    const work = async () => {
      if (isBusy) return
      isBusy = true
      for (let items = next(); items && !stop.signal.aborted; items = next()) {
        await learn(items, call, stop.signal)
        setLearned(before => before + 1)
      }
      isBusy = false
    }
    resume.current = () => void work()
    void work()
    return () => stop.abort()
  }, [pictures, call, first, all])
  const dateOf = useMemo(
    (): Proportions['dateOf'] => item => known.get(keyOf(item, call))?.taken ?? Date.parse(item.modified),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- learning changes what the function answers; another order does not
    [call, learned],
  )
  return useMemo(() => {
    const complete = new Map<string, boolean>()
    const of = (item: ResourceItem) => (isMeasured(item) ? known.get(keyOf(item, call))?.ratio : null)
    return {
      of,
      dateOf,
      coloursOf: item => known.get(keyOf(item, call))?.colours ?? null,
      isComplete(from, to) {
        const key = `${from} ${to}`
        const found = complete.get(key) ?? pictures.slice(from, to).every(item => of(item) !== undefined)
        complete.set(key, found)
        return found
      },
      follow: () => resume.current?.(),
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- learning changes what the functions answer
  }, [pictures, call, learned, dateOf])
}

/** The address of each call: making it for every item would cost more than the layout. */
const addresses = new WeakMap<SizesCall, string>()

function keyOf({ name, modified }: Pick<ResourceItem, 'name' | 'modified'>, call: SizesCall): string {
  const address = addresses.get(call) ?? call('')
  addresses.set(call, address)
  return `${address}\n${name}\n${modified}`
}

/** The next images to ask for: of the first section from the one in view on that has any. */
function unknownNear(
  first: number,
  pictures: readonly ResourceItem[],
  call: SizesCall,
  ahead = AHEAD * SECTION,
): ResourceItem[] | undefined {
  const inView = Math.floor(Math.max(0, first) / SECTION) * SECTION
  for (let from = inView; from < Math.min(inView + ahead, pictures.length); from += SECTION) {
    const section = pictures.slice(from, from + SECTION)
    const unknown = section.filter(item => isMeasured(item) && !known.has(keyOf(item, call)))
    if (unknown.length > 0) return fitting(unknown)
  }
  return undefined
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
  const { sizes, taken, colours } = await apiJson<PictureSizes>(path, { signal }).catch(
    (): PictureSizes => ({ sizes: [], taken: [], colours: [] }),
  )
  if (signal.aborted) return
  if (known.size > MOST_KNOWN) known.clear()
  for (const [index, item] of items.entries()) {
    const [width, height] = sizes[index] ?? []
    const date = Date.parse(taken[index] ?? '')
    known.set(keyOf(item, call), {
      ratio: width && height ? width / height : null,
      taken: Number.isNaN(date) ? null : date,
      colours: colours[index] ?? null,
    })
  }
}
