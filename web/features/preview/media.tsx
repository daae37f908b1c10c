import { type RefObject, useRef, useState } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { encodePath, nameOf, parsePath } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { rawPath } from '../../lib/resource.ts'
import { useLayerPart } from '../../lib/use-layer.ts'
import { Glyph, kindOf } from '../../ui/glyph.tsx'
import { unplayableQuery } from './api/codecs.ts'
import { Broken, codecText } from './broken.tsx'
import styles from './media.module.css'
import { MediaTools } from './media-tools.tsx'
import { playedUntil, rememberPlayed } from './played.ts'
import { currentSpeed } from './speed.ts'

/** A film or a sound in the browser's own player; goes on where it was left. */
export default function MediaViewer({ resource }: { resource: FileResource }) {
  const [failed, setFailed] = useState(false)
  const [blind, setBlind] = useState(false)
  const { path, name, type } = resource
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  usePlayerCommands(player)
  if (failed) return <Broken resource={resource} />
  const shared = {
    ref: player,
    src: apiUrl(rawPath(path, true)),
    controls: true,
    preload: 'metadata' as const,
    'aria-label': shownName(name),
    onLoadedMetadata: ({ currentTarget }: Playing) => {
      currentTarget.currentTime = playedUntil(path, currentTarget.duration)
      currentTarget.playbackRate = currentSpeed()
      setBlind(currentTarget instanceof HTMLVideoElement && currentTarget.videoWidth === 0)
    },
    onTimeUpdate: ({ currentTarget }: Playing) => rememberPlayed(path, currentTarget.currentTime),
    onError: () => setFailed(true),
  }
  if (type === 'audio')
    return (
      <div className={styles.sound}>
        <Glyph kind={kindOf(resource)} large />
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
          <Subtitle key={subtitle} path={subtitle} />
        ))}
        {t('preview.mediaUnknown')}
      </video>
      {blind && <Blind resource={resource} />}
      <MediaTools player={player} film />
    </div>
  )
}

/** Some browsers play the sound of a film whose pictures they do not know. */
function Blind({ resource }: { resource: FileResource }) {
  const { data } = useQuery(unplayableQuery(resource))
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

interface Playing {
  currentTarget: HTMLMediaElement
}

/** `GET /api/subtitle/{path}` answers WebVTT whatever the file is (contract 7). */
function Subtitle({ path }: { path: string }) {
  const label = shownName(nameOf(parsePath(path)))
  return <track kind="subtitles" label={label} src={apiUrl(`/api/subtitle${encodePath(path)}`)} />
}
