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
import { type Music, musicStore, repeat, shuffle } from './store.ts'
import { followChanges, shuffled, trackAfter } from './tracks.ts'

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
  player.addEventListener('ended', () => musicOf(player) && continueAfterEnd(player))
  player.addEventListener('playing', () => {
    failures = 0
  })
  player.addEventListener('error', () => fail(player))
  player.src = addressOf(file)
  return player
}

/** Makes a player that has begun to play the music, in place of any other. */
export function beginMusic(music: Omit<Music, 'queue'>): void {
  if (musicOf(music.player)) return
  stopMusic()
  watch()
  musicStore.set({ ...music, queue: queueOf(music) })
}

/** Plays one of some tracks without its viewer. @param from the playlist that they are in */
export function playQueue(from: string, tracks: readonly ResourceItem[], track: ResourceItem): void {
  const player = createPlayer(track)
  storePlaybackPosition(track.path, 0)
  beginMusic({ player, track, from, tracks })
  document.body.append(player)
  play(player)
}

/** Plays another track of the queue. */
export function playTrack(track: ResourceItem): void {
  const music = musicStore.get()
  if (music) change(music, track)
}

/** The files of the folder that is played have changed. */
export function followFolder(from: string, tracks: readonly ResourceItem[]): void {
  const music = musicStore.get()
  if (music?.from !== from || tracks.length === 0) return
  const queue = shuffle.store.get() === 'on' ? followChanges(music.queue, tracks) : tracks
  musicStore.set({ ...music, tracks, queue })
}

/** Plays in a random order from here, or again in that of the tracks. */
export function toggleShuffle(): void {
  shuffle.choose(shuffle.store.get() === 'on' ? 'off' : 'on')
  const music = musicStore.get()
  if (music) musicStore.set({ ...music, queue: queueOf(music) })
}

/** Repeats nothing, then all tracks, then the current one. */
export function cycleRepeat(): void {
  const next = { off: 'all', all: 'one', one: 'off' } as const
  repeat.choose(next[repeat.store.get()])
  const music = musicStore.get()
  // The controls of the system follow.
  if (music) musicStore.set({ ...music })
}

/** The track that the controls lead to, if any. */
export const trackTowards = (music: Music, by: 1 | -1): ResourceItem | undefined =>
  trackAfter(music, by, repeat.store.get() === 'all')

const queueOf = ({ tracks, track }: Pick<Music, 'tracks' | 'track'>) =>
  shuffle.store.get() === 'on' ? shuffled(tracks, track) : tracks

function continueAfterEnd(player: HTMLAudioElement): void {
  if (repeat.store.get() !== 'one') return step(1)
  player.currentTime = 0
  play(player)
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
  const other = trackTowards(music, by)
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

/** Tracks that failed since the last one that played: a repeated queue has no end. */
let failures = 0

/** A track that cannot be played is skipped; a viewer reports it itself. */
function fail(player: HTMLAudioElement): void {
  const music = musicOf(player)
  if (!music) return
  failures += 1
  const next = onlineStore.get() && failures < music.queue.length ? trackTowards(music, 1) : undefined
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
