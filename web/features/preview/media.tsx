import { type RefObject, useEffect, useRef, useState } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { useViewerCommands } from '../../lib/viewer-commands.ts'
import { OWN_FILES, type RelatedUrls } from '../files/items/related-urls.ts'
import { Thumb } from '../files/items/thumb.tsx'
import type { PreviewCommands } from './actions.ts'
import { formatQuery } from './api/codecs.ts'
import { type DocumentProps, sourceOf } from './document/bytes.ts'
import styles from './media.module.css'
import { MediaTools } from './media-tools.tsx'
import { About } from './music/about.tsx'
import { Sound } from './music/sound.tsx'
import { resumePosition, storePlaybackPosition } from './playback-position.ts'
import { codecText, PreviewError } from './preview-error.tsx'
import { currentSpeed } from './speed.ts'
import { subtitleLanguage } from './subtitle-language.ts'
import { SubtitlesButton } from './subtitles-button.tsx'
import { useSharedKeys } from './use-shared-keys.ts'

/** Seconds that a key seeks back or forwards. */
const SEEK = 10

interface MediaProps extends DocumentProps {
  /** Resolves references relative to the file. */
  relatedUrls?: RelatedUrls
}

/** A video or audio file in the native player; resumes at the last position. */
export default function MediaViewer({ relatedUrls = OWN_FILES, ...props }: MediaProps) {
  const { resource, source } = props
  const [failed, setFailed] = useState(false)
  const [blind, setBlind] = useState(false)
  const { path, name, type } = resource
  // Without the query, whose ticket changes.
  const place = source?.replace(/\?.*/, '') ?? path
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  usePlayerCommands(player)
  useSharedKeys(source !== undefined)
  const isOwnSound = type === 'audio' && source === undefined
  useSource(player, isOwnSound ? undefined : apiUrl(sourceOf(props)))
  const { data: format } = useQuery({ ...formatQuery(props), enabled: blind })
  // Some browsers play the audio of a video whose codec they lack.
  if (failed || (blind && codecText(format) !== undefined)) return <PreviewError {...props} />
  const shared = {
    ref: player,
    controls: true,
    preload: 'metadata' as const,
    'aria-label': shownName(name),
    onLoadedMetadata: ({ currentTarget }: Playing) => {
      currentTarget.currentTime = resumePosition(place, currentTarget.duration)
      currentTarget.playbackRate = currentSpeed()
      setBlind(currentTarget instanceof HTMLVideoElement && currentTarget.videoWidth === 0)
    },
    onTimeUpdate: ({ currentTarget }: Playing) => {
      // A player whose source is removed seeks to its beginning, and reports that, too.
      if (currentTarget.readyState > HTMLMediaElement.HAVE_NOTHING)
        storePlaybackPosition(place, currentTarget.currentTime)
    },
    onError: () => setFailed(true),
  }
  if (type === 'audio')
    return (
      <div className={styles.sound}>
        <div className={styles.cover}>
          <Thumb item={resource} allowed large />
        </div>
        {isOwnSound && <About file={resource} />}
        {isOwnSound ? (
          <Sound file={resource} player={player} onFailed={() => setFailed(true)} />
        ) : (
          <audio className={styles.audio} {...shared}>
            {t('preview.mediaUnknown')}
          </audio>
        )}
        <MediaTools player={player} video={false} />
      </div>
    )
  const { subtitles = [] } = resource
  const names = subtitles.map(path => nameOf(parsePath(path)))
  return (
    <div className={styles.player}>
      <video className={styles.video} playsInline {...shared}>
        {subtitles.map(subtitle => (
          <Subtitle key={subtitle} path={subtitle} relatedUrls={relatedUrls} />
        ))}
        {t('preview.mediaUnknown')}
      </video>
      <MediaTools player={player} video>
        {names.length > 0 && <SubtitlesButton player={player} names={names} labels={names.map(labelOf)} />}
      </MediaTools>
    </div>
  )
}

/** The language of subtitles, in itself, or the name of their file. */
const labelOf = (name: string) => subtitleLanguage(name)?.name ?? shownName(name)

function usePlayerCommands(player: RefObject<HTMLMediaElement | null>): void {
  const seek = (seconds: number) => {
    if (player.current) player.current.currentTime += seconds
  }
  useViewerCommands({
    mute() {
      if (player.current) player.current.muted = !player.current.muted
    },
    seekBack: () => seek(-SEEK),
    seekForward: () => seek(SEEK),
  } satisfies PreviewCommands)
}

/**
 * Sets a player's source after mount, so that no event is missed; none for a player of its own. Removes it on unmount, because a detached player
 * keeps its connection, of which browsers open few.
 */
function useSource(player: RefObject<HTMLMediaElement | null>, address: string | undefined): void {
  useEffect(() => {
    const { current } = player
    if (!current || address === undefined) return
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

function Subtitle({ path, relatedUrls }: { path: string; relatedUrls: RelatedUrls }) {
  const name = nameOf(parsePath(path))
  return (
    <track
      kind="subtitles"
      label={labelOf(name)}
      srcLang={subtitleLanguage(name)?.tag}
      src={apiUrl(relatedUrls.subtitles(path))}
    />
  )
}
