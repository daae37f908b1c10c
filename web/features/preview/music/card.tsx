import { shownName } from '../../../../shared/bytes.ts'
import { parsePath } from '../../../../shared/path.ts'
import { announce } from '../../../lib/announce.ts'
import { t, useLocale } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { filesUrl, Link } from '../../../lib/router.tsx'
import { useStore } from '../../../lib/store.ts'
import { ActivityCard } from '../../../ui/activity-card.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { ListMusic, Pause, Play, Repeat, Repeat1, Shuffle, SkipBack, SkipForward, X } from '../../../ui/icons.ts'
import { Thumb } from '../../files/items/thumb.tsx'
import styles from './card.module.css'
import { useMediaSession } from './media-session.ts'
import { cycleRepeat, step, stopMusic, togglePlayback, toggleShuffle, trackTowards } from './music.ts'
import type { Tags } from './read-tags.ts'
import { type Music, musicStore, repeat, shuffle } from './store.ts'
import { tagsQuery } from './tags.ts'
import { clockOf } from './tracks.ts'
import { isPaused, usePlayer } from './use-player.ts'

/** The player of music without its viewer, in the tray. */
export default function MusicCard({ music }: { music: Music }) {
  useLocale()
  const { track } = music
  const { data: tags } = useQuery(tagsQuery(track))
  useMediaSession(music, tags)
  return (
    <ActivityCard
      label={t('music.region')}
      title={<Title track={track} tags={tags} />}
      actions={
        <>
          <IconButton label={t('music.queue')} onClick={() => openPrompt('queue', {})}>
            <ListMusic size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('music.close')} onClick={stopMusic}>
            <X size={18} aria-hidden />
          </IconButton>
        </>
      }
    >
      <Controls music={music} />
      <SeekBar player={music.player} />
    </ActivityCard>
  )
}

function Title({ track, tags }: { track: Music['track']; tags: Tags | undefined }) {
  const about = [tags?.artist, tags?.album].filter(Boolean).join(' · ')
  return (
    <div className={styles.title}>
      <span className={styles.cover}>
        <Thumb item={track} allowed />
      </span>
      <div className={styles.texts}>
        <Link className={styles.name} to={filesUrl(parsePath(track.path))}>
          <bdi>{tags?.title || shownName(track.name)}</bdi>
        </Link>
        {about !== '' && (
          <p className={styles.about}>
            <bdi>{about}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}

/** A tape runs to the right in every language, so the buttons keep their order. */
function Controls({ music }: { music: Music }) {
  const paused = usePlayer(music.player, isPaused)
  const go = (by: 1 | -1) => {
    step(by)
    const track = musicStore.get()?.track
    if (track) announce(shownName(track.name))
  }
  return (
    <div className={styles.controls} dir="ltr">
      <ShuffleButton />
      <IconButton label={t('music.previous')} onClick={() => go(-1)}>
        <SkipBack size={18} aria-hidden />
      </IconButton>
      <IconButton label={t(paused ? 'music.play' : 'music.pause')} className={styles.play} onClick={togglePlayback}>
        {paused ? <Play size={20} aria-hidden /> : <Pause size={20} aria-hidden />}
      </IconButton>
      <IconButton label={t('music.next')} aria-disabled={!trackTowards(music, 1)} onClick={() => go(1)}>
        <SkipForward size={18} aria-hidden />
      </IconButton>
      <RepeatButton />
    </div>
  )
}

function ShuffleButton() {
  const isOn = useStore(shuffle.store) === 'on'
  return (
    <IconButton label={t('music.shuffle')} aria-pressed={isOn} onClick={toggleShuffle}>
      <Shuffle size={18} aria-hidden />
    </IconButton>
  )
}

/** Three states, which its name says. */
function RepeatButton() {
  const choice = useStore(repeat.store)
  const Icon = choice === 'one' ? Repeat1 : Repeat
  const texts = { off: 'music.repeatOff', all: 'music.repeatAll', one: 'music.repeatOne' } as const
  return (
    <IconButton
      label={t(texts[choice])}
      data-on={choice !== 'off' || undefined}
      className={styles.repeat}
      onClick={cycleRepeat}
    >
      <Icon size={18} aria-hidden />
    </IconButton>
  )
}

function SeekBar({ player }: { player: HTMLAudioElement }) {
  const position = usePlayer(player, ({ currentTime }) => Math.floor(currentTime))
  const duration = usePlayer(player, each => Math.floor(each.duration))
  const [now, whole] = [clockOf(position), clockOf(duration)]
  const isKnown = Number.isFinite(duration)
  return (
    <div className={styles.seek} dir="ltr">
      <span aria-hidden="true">{now}</span>
      <input
        type="range"
        aria-label={t('music.position')}
        aria-valuetext={t('music.positionOf', { position: now, duration: whole })}
        min={0}
        max={isKnown ? duration : 0}
        step={1}
        disabled={!isKnown}
        value={position}
        onChange={({ currentTarget }) => {
          player.currentTime = currentTarget.valueAsNumber
        }}
      />
      <span aria-hidden="true">{whole}</span>
    </div>
  )
}
