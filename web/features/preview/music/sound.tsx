import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FileResource } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { parentOf, parsePath } from '../../../../shared/path.ts'
import styles from '../media.module.css'
import { useFolderRows } from '../use-gallery.ts'
import { beginMusic, createPlayer, followFolder, hidePlayer, showPlayer } from './music.ts'
import { musicStore } from './store.ts'
import { tracksIn } from './tracks.ts'

interface SoundProps {
  file: FileResource
  /** Receives the player. */
  player: RefObject<HTMLMediaElement | null>
  onFailed: () => void
}

/** The player of an audio file, which continues to play when its viewer closes. */
export function Sound({ player, onFailed, ...props }: SoundProps) {
  // Each file has a viewer of its own.
  const [file] = useState(props.file)
  const place = useRef<HTMLDivElement>(null)
  const from = parentOf(parsePath(file.path))
  const rows = useFolderRows(file.path)
  const tracks = useMemo(() => tracksIn(rows), [rows])
  const latest = useRef({ tracks, onFailed })
  useEffect(() => {
    latest.current = { tracks, onFailed }
  })
  // The music follows the order of the listing, and what is added to the folder.
  useEffect(() => {
    if (musicStore.get()?.track.path === file.path) followFolder(from, tracks)
  }, [file.path, from, tracks])
  // In the same step as the change of the page: a player outside it is paused.
  useLayoutEffect(() => {
    const music = musicStore.get()
    const own = music?.track.path === file.path ? music.player : createPlayer(file)
    const stop = new AbortController()
    const on = (type: 'play' | 'error', act: () => void) => own.addEventListener(type, act, { signal: stop.signal })
    on('play', () => beginMusic({ player: own, track: file, from, tracks: latest.current.tracks }))
    on('error', () => latest.current.onFailed())
    own.ariaLabel = shownName(file.name)
    own.className = styles.audio ?? ''
    if (place.current) showPlayer(own, place.current)
    player.current = own
    return () => {
      stop.abort()
      player.current = null
      hidePlayer(own)
    }
  }, [file, from, player])
  return <div ref={place} className={styles.audio} />
}
