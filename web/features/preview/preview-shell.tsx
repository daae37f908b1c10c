import { type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react'
import type { FileResource, ResourceItem } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { runAction, useUserHere } from '../../lib/actions.ts'
import { announce } from '../../lib/announce.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts, usesArrows } from '../../lib/keyboard.ts'
import { lazyTool } from '../../lib/lazy.ts'
import { useWindowClass } from '../../lib/media.ts'
import { useViewerCommands, useViewerKeys } from '../../lib/viewer-commands.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { Overlay } from '../../ui/overlay.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { isQuickLook } from '../files/items/quick-look.ts'
import { type PreviewCommands, previewActions } from './actions.ts'
import { Arrows, type Paper, Steps } from './arrows.tsx'
import { Bar } from './bar.tsx'
import { Card } from './card.tsx'
import { imageUrl } from './image-url.ts'
import styles from './preview-shell.module.css'
import { stopSlideshow, useSlideshow } from './slideshow/store.ts'
import { useFilmstrip } from './use-filmstrip.ts'
import { type Gallery, goTo, useGallery } from './use-gallery.ts'
import { useInfo } from './use-info.ts'
import { useSwipe } from './use-swipe.ts'

const Filmstrip = lazyTool(() => import('./filmstrip.tsx'))
const Slideshow = lazyTool(() => import('./slideshow/slideshow.tsx'))
const InfoPanel = lazyTool(() => import('./info-panel.tsx'))

/** Milliseconds between two steps while a key is held; browsers limit the rate of address changes. */
const HELD_STEP = 300

interface PreviewShellProps {
  resource: FileResource
  /** What a document lies on. */
  paper: Paper | undefined
  onClose: () => void
  /** The viewer of this file. */
  children: ReactNode
}

/** The shell of every preview: name, position, actions, and navigation. */
export default function PreviewShell({ resource, paper, onClose, children }: PreviewShellProps) {
  const turn = useGallery(resource, onClose)
  const { previous, next } = turn
  const showNext = () => void (next && goTo(next))
  const goBack = () => void (previous && goTo(previous))
  const content = useRef<HTMLDivElement>(null)
  const swipe = useSwipe(content, resource.path, {
    onStart: next && showNext,
    onEnd: previous && goBack,
    onDown: onClose,
  })
  const fullscreen = useFullScreen()
  const info = useInfo(resource)
  const user = useUserHere()
  const strip = useFilmstrip(user?.perm.download ? resource.type : '', turn.count)
  const slideshow = useSlideshow(user?.perm.download && !turn.isGone ? resource.type : '', turn.items)
  const isPlain = !slideshow?.isOn
  const commands: PreviewCommands = {
    close: onClose,
    ...(slideshow && { slideshow: slideshow.toggle }),
    ...(!turn.isGone && { info: info.toggle }),
    ...(next && { next: showNext }),
    ...(previous && { previous: goBack }),
    ...(fullscreen && { fullscreen }),
  }
  useViewerCommands(commands, turn.isGone ? undefined : resource)
  useKeys()
  useAnnouncement(resource.name, turn, isPlain)
  const stage = useRef<HTMLDivElement>(null)
  useKeptFocus(stage, `${resource.path} ${info.isOpen}`)
  const narrow = useWindowClass() === 'narrow'
  const steps = paper && <Steps turn={turn} onBack={goBack} onOn={showNext} />
  return (
    <Overlay dark>
      {isPlain ? (
        <Bar {...{ resource, turn, info, strip, slideshow, steps, narrow, onClose }} />
      ) : (
        <h1 className="visually-hidden">{shownName(resource.name)}</h1>
      )}
      <div ref={content} className={styles.content}>
        <div ref={stage} className={styles.stage} data-paper={paper} {...swipe.handlers}>
          <Suspense fallback={<Spinner label={t('common.loading')} />}>
            <Viewed resource={resource} isGone={turn.isGone}>
              {children}
            </Viewed>
          </Suspense>
          {!paper && isPlain && <Arrows turn={turn} onBack={goBack} onOn={showNext} />}
          <LazyBoundary onMissing={stopSlideshow}>
            {!isPlain && <Slideshow items={turn.items} index={turn.index} goTo={goTo} />}
          </LazyBoundary>
        </div>
        {swipe.towards && <Neighbour item={swipe.towards === 'start' ? next : previous} />}
        {info.isOpen && !turn.isGone && isPlain && (
          <aside className={styles.aside} aria-label={t('details.title')}>
            <LazyBoundary>
              <InfoPanel item={resource} onClose={info.toggle} />
            </LazyBoundary>
          </aside>
        )}
      </div>
      <LazyBoundary>
        {strip?.isShown && !turn.isGone && isPlain && <Filmstrip items={turn.items} index={turn.index} goTo={goTo} />}
      </LazyBoundary>
      {narrow && steps}
    </Overlay>
  )
}

/** The image that comes in with a swipe; it has been preloaded. */
function Neighbour({ item }: { item: ResourceItem | undefined }) {
  return item?.type === 'image' && <img className={styles.neighbour} src={imageUrl(item)} alt="" />
}

/** The file in its viewer, or why it is not shown. */
function Viewed({
  resource,
  isGone,
  children,
}: Pick<PreviewShellProps, 'resource' | 'children'> & { isGone: boolean }) {
  const user = useUserHere()
  if (isGone) return <Card resource={resource} text={t('preview.gone', { name: shownName(resource.name) })} shared />
  return user?.perm.download ? children : <Card resource={resource} text={t('preview.forbidden')} />
}

/** Returns the focus to the viewer when the element that had it has gone. @param state after whose changes */
function useKeptFocus(stage: RefObject<HTMLElement | null>, state: string): void {
  // After every change of it.
  useEffect(() => {
    if (document.activeElement === document.body) stage.current?.closest('main')?.focus()
  }, [stage, state])
}

/**
 * The keys of the actions, and Enter for the next file. The focused element takes precedence: buttons, players, and
 * grids, which use the arrows themselves.
 */
function useKeys(): void {
  const steppedAt = useRef(0)
  const mayStep = ({ key, target, repeat, timeStamp }: KeyboardEvent): boolean => {
    if (!key.startsWith('Page') && usesArrows(target)) return false
    if (repeat && timeStamp - steppedAt.current < HELD_STEP) return false
    steppedAt.current = timeStamp
    return true
  }
  useViewerKeys(previewActions, {}, ({ shortcut }, event) => !shortcut?.startsWith('Arrow') || mayStep(event))
  const onButton = ({ target }: KeyboardEvent) => target instanceof Element && target.closest('a, button') !== null
  const [next] = previewActions
  const close = previewActions.find(({ id }) => id === 'preview.close')
  useShortcuts('listing', [
    // The key of the listing that opened the file.
    { keys: 'Space', run: ({ target }) => isQuickLook() && !usesSpace(target) && close && runAction(close) },
    { keys: 'Enter', run: event => next && !onButton(event) && mayStep(event) && runAction(next) },
  ])
}

/** Whether Space presses the focused element, or plays and pauses it. */
function usesSpace(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, input, summary, video, audio, [role=grid]') !== null
}

/** Full screen for the page, where it is supported; ends with the preview. */
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

/** Announces the current file after every step of the user, and its end. @param isPlain no slideshow makes the steps */
function useAnnouncement(name: string, { index, count, isGone }: Gallery, isPlain: boolean): void {
  useEffect(() => {
    if (!isPlain) return
    if (isGone) announce(t('preview.gone', { name: shownName(name) }))
    if (index < 0) return
    announce(t('preview.announce', { name: shownName(name), index: index + 1, count }))
  }, [name, index, count, isGone, isPlain])
}
