import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { useStore } from '../../../lib/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Play } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { DocumentProps } from '../document/bytes.ts'
import { playQueue } from '../music/music.ts'
import { musicStore } from '../music/store.ts'
import { OtherViews } from '../tools.tsx'
import { type ListedTrack, playlistQuery } from './resolve.ts'
import styles from './viewer.module.css'

/** A playlist: its audio files, which play as a queue. What is elsewhere, or missing, is named. */
export default function PlaylistViewer(props: DocumentProps) {
  const { resource } = props
  const { data, error, refetch } = useQuery(playlistQuery(props))
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return <Spinner label={t('common.loading')} />
  const tracks = [...new Map(data.flatMap(({ file }) => (file ? [[file.path, file] as const] : []))).values()]
  const [first] = tracks
  const play = (track: ResourceItem) => playQueue(resource.path, tracks, track)
  return (
    <div className={styles.playlist}>
      <div className={styles.head}>
        {first && (
          <Button kind="primary" icon={<Play size={18} aria-hidden />} onClick={() => play(first)}>
            {t('music.playAll')}
          </Button>
        )}
        <OtherViews resource={resource} />
      </div>
      {data.length === 0 && <p>{t('music.emptyList')}</p>}
      <ol className={styles.list}>
        {data.map(entry => (
          <li key={entry.at}>
            <Entry entry={entry} play={play} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Entry({ entry: { file, title, place }, play }: { entry: ListedTrack; play: (track: ResourceItem) => void }) {
  const current = useStore(musicStore)?.track.path
  if (!file)
    return (
      <p className={styles.missing}>
        {t('music.missing')} <bdi>{title ?? place}</bdi>
      </p>
    )
  return (
    <Button
      kind="quiet"
      className={styles.track}
      aria-current={file.path === current || undefined}
      onClick={() => play(file)}
    >
      <bdi>{title ?? shownName(file.name)}</bdi>
    </Button>
  )
}
