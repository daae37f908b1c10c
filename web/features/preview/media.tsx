import { type RefObject, useEffect, useRef, useState } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { useLayerPart } from '../../lib/use-layer.ts'
import { type Beside, OWN } from '../files/items/related-urls.ts'
import { Thumb } from '../files/items/thumb.tsx'
import { unplayableQuery } from './api/codecs.ts'
import { type DocumentProps, sourceOf } from './document/bytes.ts'
import styles from './media.module.css'
import { MediaTools } from './media-tools.tsx'
import { playedUntil, rememberPlayed } from './playback-position.ts'
import { Broken, codecText } from './preview-error.tsx'
import { currentSpeed } from './speed.ts'
import { useSharedKeys } from './use-shared-keys.ts'

interface MediaProps extends DocumentProps {
  /** What is to be had beside the file. */
  beside?: Beside
}

/** A film or a sound in the browser's own player; goes on where it was left. */
export default function MediaViewer({ beside = OWN, ...props }: MediaProps) {
  const { resource, source } = props
  const [failed, setFailed] = useState(false)
  const [blind, setBlind] = useState(false)
  const { path, name, type } = resource
  // Without what lets through, which changes.
  const place = source?.replace(/\?.*/, '') ?? path
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  usePlayerCommands(player)
  useSharedKeys(source !== undefined)
  useSource(player, apiUrl(sourceOf(props)))
  if (failed) return <Broken {...props} />
  const shared = {
    ref: player,
    controls: true,
    preload: 'metadata' as const,
    'aria-label': shownName(name),
    onLoadedMetadata: ({ currentTarget }: Playing) => {
      currentTarget.currentTime = playedUntil(place, currentTarget.duration)
      currentTarget.playbackRate = currentSpeed()
      setBlind(currentTarget instanceof HTMLVideoElement && currentTarget.videoWidth === 0)
    },
    onTimeUpdate: ({ currentTarget }: Playing) => {
      // One whose source is taken back goes to its beginning, and tells that, too.
      if (currentTarget.readyState > HTMLMediaElement.HAVE_NOTHING) rememberPlayed(place, currentTarget.currentTime)
    },
    onError: () => setFailed(true),
  }
  if (type === 'audio')
    return (
      <div className={styles.sound}>
        <div className={styles.cover}>
          <Thumb item={resource} allowed large />
        </div>
        <audio className={styles.audio} {...shared}>
          {t('preview.mediaUnknown')}
        </audio>
        <MediaTools player={player} film={false} />
      </div>
    )
  return (
    <div className={styles.film}>
      <video className={styles.video} playsInline {...shared}>
        {resource.subtitles?.map(subtitle => (
          <Subtitle key={subtitle} path={subtitle} beside={beside} />
        ))}
        {t('preview.mediaUnknown')}
      </video>
      {blind && <Blind {...props} />}
      <MediaTools player={player} film />
    </div>
  )
}

/** Some browsers play the sound of a film whose pictures they do not know. */
function Blind(props: DocumentProps) {
  const { data } = useQuery(unplayableQuery(props))
  const text = codecText(data)
  return text ? (
    <p className={styles.blind} role="status">
      {text}
    </p>
  ) : null
}

function usePlayerCommands(player: RefObject<HTMLMediaElement | null>): void {
  useLayerPart({
    mute() {
      if (player.current) player.current.muted = !player.current.muted
    },
    seek(seconds) {
      if (player.current) player.current.currentTime += seconds
    },
  })
}

/**
 * Gives a player its source when it is on the page, not before: nobody is told what happens until then. Takes it back in
 * the end, because a player that has left keeps its connection, of which browsers make few.
 */
function useSource(player: RefObject<HTMLMediaElement | null>, address: string): void {
  useEffect(() => {
    const { current } = player
    if (!current) return
    current.src = address
    return () => {
      current.removeAttribute('src')
      current.load()
    }
  }, [player, address])
}

interface Playing {
  currentTarget: HTMLMediaElement
}

function Subtitle({ path, beside }: { path: string; beside: Beside }) {
  const label = shownName(nameOf(parsePath(path)))
  return <track kind="subtitles" label={label} src={apiUrl(beside.subtitles(path))} />
}
