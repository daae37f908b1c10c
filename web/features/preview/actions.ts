import type { Action, LayerCommands } from '../../lib/actions.ts'
import type { MessageKey } from '../../lib/i18n/index.ts'
import { ArrowLeft, ArrowRight, FastForward, Maximize, Minus, Plus, Rewind, Scan, VolumeX, X } from '../../ui/icons.ts'

/** Seconds that a key seeks forwards or back in a video or audio file. */
const SEEK = 10

interface Look {
  labelKey: MessageKey
  icon: Action['icon']
  shortcut: string
}

/** The preview's command of this name, if available. */
function command(name: keyof LayerCommands, look: Look, id: string = name, seconds = 0): Action {
  return {
    id: `preview.${id}`,
    scope: 'preview',
    ...look,
    visible: ({ layer }) => layer?.[name] !== undefined,
    run: ({ layer }) => layer?.[name]?.(seconds),
  }
}

/** The actions of a preview, in addition to those on its file. */
export const previewActions: readonly Action[] = [
  command('next', { labelKey: 'actions.previewNext', icon: ArrowRight, shortcut: 'ArrowRight' }),
  command('previous', { labelKey: 'actions.previewPrevious', icon: ArrowLeft, shortcut: 'ArrowLeft' }),
  command('zoomIn', { labelKey: 'actions.zoomIn', icon: Plus, shortcut: '+' }),
  command('zoomOut', { labelKey: 'actions.zoomOut', icon: Minus, shortcut: '-' }),
  command('fit', { labelKey: 'actions.fit', icon: Scan, shortcut: '0' }),
  command('fullscreen', { labelKey: 'keys.fullscreen', icon: Maximize, shortcut: 'F' }),
  command('mute', { labelKey: 'keys.mute', icon: VolumeX, shortcut: 'M' }),
  command('seek', { labelKey: 'keys.seekBack', icon: Rewind, shortcut: 'J' }, 'seekBack', -SEEK),
  command('seek', { labelKey: 'keys.seekOn', icon: FastForward, shortcut: 'L' }, 'seekOn', SEEK),
  command('close', { labelKey: 'common.close', icon: X, shortcut: 'Escape' }),
]
