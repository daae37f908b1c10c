import { useCallback, useSyncExternalStore } from 'react'

/** Events after which a player's values differ. */
const EVENTS = ['play', 'pause', 'ended', 'timeupdate', 'seeking', 'durationchange', 'emptied'] as const

/** A value of a player; re-renders when it changes. @param read the value, rounded to what is shown */
export function usePlayer<T extends number | boolean>(
  player: HTMLMediaElement,
  read: (player: HTMLMediaElement) => T,
): T {
  const subscribe = useCallback(
    (listener: () => void) => {
      for (const event of EVENTS) player.addEventListener(event, listener)
      return () => {
        for (const event of EVENTS) player.removeEventListener(event, listener)
      }
    },
    [player],
  )
  return useSyncExternalStore(subscribe, () => read(player))
}

export const isPaused = ({ paused }: HTMLMediaElement): boolean => paused
