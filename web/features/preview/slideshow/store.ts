import { useEffect, useMemo } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { createStore, useStore } from '../../../lib/store.ts'

/** Whether a slideshow runs; at most one viewer is open. */
export const slideshowStore = createStore(false)

/** The slideshow of a folder. */
export interface SlideshowChoice {
  isOn: boolean
  toggle: () => void
}

/** The slideshow that an image begins; `undefined` where no other one follows. @param items the files of its folder */
export function useSlideshow(type: string, items: readonly ResourceItem[]): SlideshowChoice | undefined {
  const isOn = useStore(slideshowStore)
  const isSeries = useMemo(() => items.filter(item => item.type === 'image').length > 1, [items])
  const isPossible = isSeries && type === 'image'
  useEffect(() => {
    if (!isPossible) stopSlideshow()
  }, [isPossible])
  useEffect(() => stopSlideshow, [])
  return isPossible ? { isOn, toggle: () => slideshowStore.set(!slideshowStore.get()) } : undefined
}

export const stopSlideshow = (): void => slideshowStore.set(false)
