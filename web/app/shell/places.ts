import type { Binding } from '../../lib/keyboard.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { goToRegion } from './regions.ts'

const inGrid = () => document.activeElement?.closest('[role="grid"]') !== null

/** Navigation keys that are not actions. */
export const PLACES: readonly Binding[] = [
  { keys: 'F6', inText: true, run: () => goToRegion(1) },
  { keys: 'Shift+F6', inText: true, run: () => goToRegion(-1) },
  // As browsers do on most platforms.
  { keys: 'Alt+ArrowLeft', run: () => inGrid() && history.back() },
  { keys: 'Alt+ArrowRight', run: () => inGrid() && history.forward() },
  // A character without Ctrl or Alt works only where files have the focus.
  { keys: '?', run: () => inGrid() && openPrompt('help', {}) },
]
