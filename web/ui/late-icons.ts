import { createElement } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import { drawIcon, type IconProps } from './icon.tsx'
import type * as Shapes from './late-shapes.ts'

/** The shapes; until they are loaded, an icon is an empty square of its size. */
export const lateShapesStore = createStore<typeof Shapes | undefined>(undefined)

const late = (name: keyof typeof Shapes) => (props: IconProps) => {
  const shapes = useStore(lateShapesStore)
  return shapes ? createElement(shapes[name], props) : drawIcon('', props)
}

/** Icons that the first page does not show: those of actions in menus and bars, which exist before their shapes. */
export const Bell = late('Bell')
export const Camera = late('Camera')
export const CircleHelp = late('CircleHelp')
export const ClipboardPaste = late('ClipboardPaste')
export const Columns2 = late('Columns2')
export const Command = late('Command')
export const Copy = late('Copy')
export const CornerLeftUp = late('CornerLeftUp')
export const Download = late('Download')
export const ExternalLink = late('ExternalLink')
export const FileArchive = late('FileArchive')
export const FilePlus2 = late('FilePlus2')
export const Files = late('Files')
export const FolderInput = late('FolderInput')
export const FolderOpen = late('FolderOpen')
export const FolderSearch = late('FolderSearch')
export const FolderUp = late('FolderUp')
export const Inbox = late('Inbox')
export const LayoutDashboard = late('LayoutDashboard')
export const Link2 = late('Link2')
export const ListChecks = late('ListChecks')
export const PackageOpen = late('PackageOpen')
export const Pencil = late('Pencil')
export const Redo2 = late('Redo2')
export const Rewind = late('Rewind')
export const Scissors = late('Scissors')
export const StickyNote = late('StickyNote')
export const Undo2 = late('Undo2')
export const WifiOff = late('WifiOff')
