import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { apiUrl } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { onlineStore } from '../../../lib/online.ts'
import { sessionStore } from '../../../lib/session.ts'
import { rawPath } from '../../files/api/resource.ts'
import { resumePosition, storePlaybackPosition } from '../playback-position.ts'
import { currentSpeed } from '../speed.ts'
import { goTo } from '../use-gallery.ts'
import { type Music, musicStore } from './store.ts'
import { trackAfter } from './tracks.ts'

/** Seconds after which "previous" returns to the beginning of a track. */
const RESTARTS_AFTER = 3

const addressOf = ({ path }: ResourceItem): string => apiUrl(rawPath(path, true))

/** The music that a player plays. */
function musicOf(player: HTMLAudioElement): Music | undefined {
  const music = musicStore.get()
  return music?.player === player ? music : undefined
}

/** A player of a file, for its viewer; it becomes the music of the page when it begins to play. */
export function createPlayer(file: ResourceItem): HTMLAudioElement {
  const player = document.createElement('audio')
  const path = () => musicOf(player)?.track.path ?? file.path
  player.preload = 'metadata'
  player.addEventListener('loadedmetadata', () => {
    player.currentTime = resumePosition(path(), player.duration)
    player.playbackRate = currentSpeed()
  })
  player.addEventListener('timeupdate', () => {
    // A player whose source is removed seeks to its beginning, and reports that, too.
    if (player.readyState > HTMLMediaElement.HAVE_NOTHING) storePlaybackPosition(path(), player.currentTime)
  })
  player.addEventListener('ended', () => musicOf(player) && step(1))
  player.addEventListener('error', () => fail(player))
  player.src = addressOf(file)
  return player
}

/** Makes a player that has begun to play the music, in place of any other. */
export function beginMusic(music: Music): void {
  if (musicOf(music.player)) return
  stopMusic()
  watch()
  musicStore.set(music)
}

/** Shows a player in its viewer, with the browser's controls. */
export function showPlayer(player: HTMLAudioElement, place: Element): void {
  player.controls = true
  place.append(player)
}

/** Its viewer closes: music continues, and anything else is released. Before the player leaves the page, which ends it. */
export function hidePlayer(player: HTMLAudioElement): void {
  player.controls = false
  if (!musicOf(player)) release(player)
  else if (player.paused) stopMusic()
  else document.body.append(player)
}

/** Plays or pauses. */
export function togglePlayback(): void {
  const player = musicStore.get()?.player
  if (player?.paused) play(player)
  else player?.pause()
}

/** Continues with the track after this one, or before it. */
export function step(by: 1 | -1): void {
  const music = musicStore.get()
  if (!music) return
  const other = trackAfter(music, by)
  if (by < 0 && (!other || music.player.currentTime > RESTARTS_AFTER)) music.player.currentTime = 0
  else if (other) change(music, other)
}

/** Ends the music and closes its connection. */
export function stopMusic(): void {
  const music = musicStore.get()
  if (!music) return
  musicStore.set(null)
  release(music.player)
}

function change(music: Music, track: ResourceItem): void {
  const { player } = music
  storePlaybackPosition(track.path, 0)
  musicStore.set({ ...music, track })
  player.src = addressOf(track)
  play(player)
  // The viewer follows.
  if (player.controls) goTo(track)
}

/** Browsers may refuse, and a load may be superseded; the controls show that nothing plays. */
const play = (player: HTMLAudioElement): void => void player.play().catch(() => undefined)

/** A track that cannot be played is skipped; a viewer reports it itself. */
function fail(player: HTMLAudioElement): void {
  const music = musicOf(player)
  if (!music) return
  const next = onlineStore.get() ? trackAfter(music, 1) : undefined
  if (player.controls) musicStore.set(null)
  else if (next) change(music, next)
  else {
    stopMusic()
    notify('error', t('music.failed', { name: shownName(music.track.name) }))
  }
}

/** A detached player keeps its connection, of which browsers open few. */
function release(player: HTMLAudioElement): void {
  player.remove()
  player.removeAttribute('src')
  player.load()
}

let stopWatching: (() => void) | undefined

/** Another player on the page pauses the music, and the end of the session ends it. */
function watch(): void {
  if (stopWatching) return
  const owner = sessionStore.get().user?.id
  const pause = ({ target }: Event) => {
    const player = musicStore.get()?.player
    if (player && target !== player) player.pause()
  }
  document.addEventListener('play', pause, true)
  const stops = [
    () => document.removeEventListener('play', pause, true),
    sessionStore.subscribe(() => {
      if (sessionStore.get().user?.id !== owner) stopMusic()
    }),
    musicStore.subscribe(() => {
      if (musicStore.get() === null) stopWatching?.()
    }),
  ]
  stopWatching = () => {
    stopWatching = undefined
    for (const stop of stops) stop()
  }
}
