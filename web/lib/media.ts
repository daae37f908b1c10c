import { useCallback, useSyncExternalStore } from 'react'
import { MOBILE_WIDTH } from '../../shared/limits.ts'

/** Whether a media query matches; re-renders when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

const WIDE = 1100
const WIDE_QUERY = `(min-width: ${WIDE}px)`

/** Whether there is room for a panel next to the content; outside React. */
export function hasRoomForPanel(): boolean {
  return matchMedia(WIDE_QUERY).matches
}

const NARROW_QUERY = `(max-width: ${MOBILE_WIDTH}px)`

/** Whether the window is `narrow`; outside React. */
export function isNarrow(): boolean {
  return matchMedia(NARROW_QUERY).matches
}

/** `narrow` up to 736 px, `wide` from 1100 px. */
export function useWindowClass(): 'narrow' | 'medium' | 'wide' {
  const narrow = useMedia(NARROW_QUERY)
  const wide = useMedia(WIDE_QUERY)
  return narrow ? 'narrow' : wide ? 'wide' : 'medium'
}

const COARSE_QUERY = '(pointer: coarse)'

/** Whether touch is the main pointer. */
export function useCoarsePointer(): boolean {
  return useMedia(COARSE_QUERY)
}

/** Whether touch is the main pointer; outside React. */
export function isCoarse(): boolean {
  return matchMedia(COARSE_QUERY).matches
}
