import { useEffect } from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { pageConfig } from '../../../lib/config.ts'
import { previewUrl } from '../../files/items/preview-url.ts'
import { hasThumb } from '../../files/items/thumb.tsx'
import { step, stopMusic, togglePlayback, trackTowards } from './music.ts'
import type { Tags } from './read-tags.ts'
import type { Music } from './store.ts'

/** Seconds of a jump where the system names none. */
const JUMP = 10

/** Shows the music in the controls of the system and obeys them: media keys, headphones, the lock screen. */
export function useMediaSession(music: Music, tags: Tags | undefined): void {
  const { track, player } = music
  const session = 'mediaSession' in navigator ? navigator.mediaSession : undefined
  useEffect(() => {
    if (!session) return
    session.metadata = new MediaMetadata({
      title: tags?.title ?? shownName(track.name),
      artist: tags?.artist ?? '',
      album: tags?.album ?? '',
      artwork: hasThumb(track) && pageConfig.EnableThumbs ? [{ src: previewUrl('512', track) }] : [],
    })
  }, [session, track, tags])
  useEffect(() => {
    if (!session) return
    const actions = actionsOf(music)
    for (const [action, handler] of actions) obey(session, action, handler)
    return () => {
      for (const [action] of actions) obey(session, action, null)
    }
  }, [session, music])
  useEffect(() => session && followPosition(session, player), [session, player])
}

function actionsOf(music: Music): readonly [MediaSessionAction, MediaSessionActionHandler | null][] {
  const { player } = music
  const jump = (seconds: number) => {
    player.currentTime += seconds
  }
  return [
    ['play', togglePlayback],
    ['pause', togglePlayback],
    ['stop', stopMusic],
    ['previoustrack', () => step(-1)],
    ['nexttrack', trackTowards(music, 1) ? () => step(1) : null],
    ['seekbackward', ({ seekOffset }) => jump(-(seekOffset ?? JUMP))],
    ['seekforward', ({ seekOffset }) => jump(seekOffset ?? JUMP)],
    [
      'seekto',
      ({ seekTime }) => {
        if (seekTime !== undefined) player.currentTime = seekTime
      },
    ],
  ]
}

function obey(session: MediaSession, action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    session.setActionHandler(action, handler)
  } catch {
    // A browser without this action.
  }
}

/** @returns a function that removes the music from the controls */
function followPosition(session: MediaSession, player: HTMLAudioElement): () => void {
  const show = () => {
    session.playbackState = player.paused ? 'paused' : 'playing'
    const { duration, currentTime, playbackRate } = player
    if (Number.isFinite(duration))
      session.setPositionState({ duration, position: Math.min(currentTime, duration), playbackRate })
  }
  const events = ['play', 'pause', 'seeked', 'ratechange', 'durationchange'] as const
  for (const event of events) player.addEventListener(event, show)
  show()
  return () => {
    for (const event of events) player.removeEventListener(event, show)
    session.metadata = null
    session.playbackState = 'none'
  }
}
