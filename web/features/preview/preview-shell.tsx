import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { runAction } from '../../lib/actions.ts'
import { announce } from '../../lib/announce.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts, usesArrows } from '../../lib/keyboard.ts'
import { useSession } from '../../lib/session.ts'
import { useLayerKeys, useLayerPart } from '../../lib/use-layer.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChevronRight } from '../../ui/icons.ts'
import { Layer } from '../../ui/overlay.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { previewActions } from './actions.ts'
import { Bar } from './bar.tsx'
import { Card } from './card.tsx'
import styles from './preview-shell.module.css'
import { goTo, type Turn, useTurn } from './use-gallery.ts'
import { useIdle } from './use-idle.ts'
import { useSwipe } from './use-swipe.ts'

/** Milliseconds between two steps while a key is held; browsers allow only so many changes of address. */
const HELD_STEP = 300

interface FrameProps {
  resource: FileResource
  /** In the colours of the page. */
  paper: boolean
  onClose: () => void
  /** The viewer of this file. */
  children: ReactNode
}

/** What lies around every preview: name, position, actions, and the way to the neighbours. */
export default function PreviewFrame({ resource, paper, onClose, children }: FrameProps) {
  const turn = useTurn(resource, onClose)
  const { previous, next } = turn
  const goOn = () => void (next && goTo(next))
  const goBack = () => void (previous && goTo(previous))
  const swipe = useSwipe({ onStart: () => goOn(), onEnd: () => goBack(), onDown: onClose })
  const { user } = useSession()
  const fullscreen = useFullScreen()
  useLayerPart({
    item: resource,
    close: onClose,
    ...(next && { next: goOn }),
    ...(previous && { previous: goBack }),
    ...(fullscreen && { fullscreen }),
  })
  useKeys()
  useAnnouncement(resource.name, turn)
  return (
    <Layer dark={!paper}>
      <Bar resource={resource} turn={turn} onClose={onClose} />
      <div className={styles.stage} {...swipe}>
        <Suspense fallback={<Spinner label={t('common.loading')} />}>
          {user?.perm.download ? children : <Card resource={resource} text={t('preview.forbidden')} />}
        </Suspense>
        <Arrows turn={turn} onBack={goBack} onOn={goOn} />
      </div>
    </Layer>
  )
}

interface ArrowsProps {
  turn: Turn
  onBack: () => void
  onOn: () => void
}

/** Ways to the neighbours; out of sight while nobody does anything. */
function Arrows({ turn: { previous, next }, onBack, onOn }: ArrowsProps) {
  const idle = useIdle()
  return (
    <div className={styles.arrows} data-idle={idle || undefined}>
      {previous && (
        <IconButton
          className={`${styles.arrow} ${styles.previous}`}
          label={t('actions.previewPrevious')}
          onClick={onBack}
        >
          <ChevronRight size={24} aria-hidden />
        </IconButton>
      )}
      {next && (
        <IconButton className={`${styles.arrow} ${styles.next}`} label={t('actions.previewNext')} onClick={onOn}>
          <ChevronRight size={24} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

/**
 * The keys of the actions, and Enter for the next file. What has the focus comes
 * first: buttons, players.
 */
function useKeys(): void {
  const steppedAt = useRef(0)
  const mayStep = ({ target, repeat, timeStamp }: KeyboardEvent): boolean => {
    if (usesArrows(target)) return false
    if (repeat && timeStamp - steppedAt.current < HELD_STEP) return false
    steppedAt.current = timeStamp
    return true
  }
  useLayerKeys(previewActions, {}, ({ shortcut }, event) => !shortcut?.startsWith('Arrow') || mayStep(event))
  const onButton = ({ target }: KeyboardEvent) => target instanceof Element && target.closest('a, button') !== null
  const [next] = previewActions
  useShortcuts('listing', [
    { keys: 'Enter', run: event => next && !onButton(event) && mayStep(event) && runAction(next) },
  ])
}

/** The whole screen for the page, where there is such a thing; it ends with the preview. */
function useFullScreen(): (() => void) | undefined {
  useEffect(() => () => leaveFullScreen(), [])
  return document.fullscreenEnabled ? toggleFullScreen : undefined
}

function toggleFullScreen(): void {
  if (document.fullscreenElement) leaveFullScreen()
  // Browsers may refuse; nothing is lost then.
  else void document.documentElement.requestFullscreen().catch(() => undefined)
}

function leaveFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
}

/** Says which file is shown now, after every step. */
function useAnnouncement(name: string, { index, count }: Turn): void {
  useEffect(() => {
    if (index < 0) return
    announce(t('preview.announce', { name: shownName(name), index: index + 1, count }))
  }, [name, index, count])
}
