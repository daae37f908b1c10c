import { editorActions } from '../features/editor/actions.ts'
import { previewActions } from '../features/preview/actions.ts'
import type { Action } from '../lib/actions.ts'

/** The actions of viewers; loaded with whatever shows or runs them. */
export const VIEWER_ACTIONS: readonly Action[] = [...previewActions, ...editorActions]
