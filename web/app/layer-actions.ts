import { editorActions } from '../features/editor/actions.ts'
import { previewActions } from '../features/preview/actions.ts'
import type { Action } from '../lib/actions.ts'

/** What can be done in what lies over the listing; fetched with whatever shows or runs it. */
export const LAYER_ACTIONS: readonly Action[] = [...previewActions, ...editorActions]
