import type { Action } from '../../lib/actions.ts'
import { viewerAction } from '../../lib/viewer-commands.ts'
import {
  ArrowLeft,
  ArrowRight,
  FastForward,
  Info,
  Maximize,
  Minus,
  MonitorPlay,
  Plus,
  Ratio,
  Rewind,
  Scan,
  SquarePen,
  VolumeX,
  X,
} from '../../ui/icons.ts'

const LOOKS = {
  next: { labelKey: 'actions.previewNext', icon: ArrowRight, shortcut: 'ArrowRight', alternative: 'Alt+PageDown' },
  previous: { labelKey: 'actions.previewPrevious', icon: ArrowLeft, shortcut: 'ArrowLeft', alternative: 'Alt+PageUp' },
  zoomIn: { labelKey: 'actions.zoomIn', icon: Plus, shortcut: '+' },
  zoomOut: { labelKey: 'actions.zoomOut', icon: Minus, shortcut: '-' },
  fit: { labelKey: 'actions.fit', icon: Scan, shortcut: '0' },
  actualSize: { labelKey: 'actions.actualSize', icon: Ratio, shortcut: '1' },
  slideshow: { labelKey: 'preview.slideshow', icon: MonitorPlay, shortcut: 'S' },
  fullscreen: { labelKey: 'actions.fullscreen', icon: Maximize, shortcut: 'F' },
  mute: { labelKey: 'actions.mute', icon: VolumeX, shortcut: 'M' },
  seekBack: { labelKey: 'actions.seekBack', icon: Rewind, shortcut: 'J' },
  seekForward: { labelKey: 'actions.seekForward', icon: FastForward, shortcut: 'L' },
  edit: { labelKey: 'actions.edit', icon: SquarePen, shortcut: 'E' },
  info: { labelKey: 'actions.details', icon: Info, shortcut: 'I', alternative: 'Ctrl+I' },
  close: { labelKey: 'common.close', icon: X, shortcut: 'Escape' },
} as const

/** The commands that a preview may offer. */
export type PreviewCommands = Partial<Record<keyof typeof LOOKS, () => void>>

/** The actions of a preview, in addition to those on its file. */
export const previewActions: readonly Action[] = Object.entries(LOOKS).map(([name, look]) =>
  viewerAction(name, 'preview', look),
)
