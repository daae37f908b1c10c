import { useLayoutEffect, useMemo } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { useStore } from '../../../../lib/store.ts'
import { photoDatesStore } from '../../items/photo-dates.ts'
import { type Month, monthsOf } from './months.ts'
import type { Proportions, SizesCall } from './use-proportions.ts'

/** Files of a folder that are ordered by when they were taken; in a larger one they go by when they were modified. */
export const MOST_DATED = 5000

export interface PhotoMonths {
  /** Empty where the order is another one, and until the dates are known. */
  months: readonly Month[]
  /** Whether images wait until the dates of all are known: they may move. */
  waits: boolean
}

/**
 * The months of a gallery in the order of dates. Publishes the dates once all are known: the folder orders its files by
 * them.
 */
export function usePhotoMonths(
  files: readonly ResourceItem[],
  byDate: boolean,
  proportions: Proportions,
  source: SizesCall,
): PhotoMonths {
  const { dateOf } = proportions
  const published = useStore(photoDatesStore)
  const isAsked = byDate && files.length <= MOST_DATED
  const isKnown = isAsked && proportions.isComplete(0, files.length)
  useLayoutEffect(() => {
    if (isKnown) photoDatesStore.set({ source, of: dateOf })
  }, [isKnown, source, dateOf])
  const dates = published?.source === source ? published : undefined
  const waits = isAsked && !dates
  const months = useMemo(
    () => (byDate && !waits ? monthsOf(files, dates?.of ?? (({ modified }) => Date.parse(modified))) : []),
    [files, byDate, waits, dates],
  )
  return { months, waits }
}
