import { editorActions } from '../features/editor/actions.ts'
import { previewActions } from '../features/preview/actions.ts'
import type { Action } from '../lib/actions.ts'

/** The actions of overlays; loaded with whatever shows or runs them. */
export const LAYER_ACTIONS: readonly Action[] = [...previewActions, ...editorActions]
