import type { Binding } from '../../lib/keyboard.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { goToRegion } from './regions.ts'

const inGrid = () => document.activeElement?.closest('[role="grid"]') !== null

/** Keys that lead around, and are no actions of their own. */
export const PLACES: readonly Binding[] = [
  { keys: 'F6', inText: true, run: () => goToRegion(1) },
  { keys: 'Shift+F6', inText: true, run: () => goToRegion(-1) },
  // As browsers do on most platforms.
  { keys: 'Alt+ArrowLeft', run: () => inGrid() && history.back() },
  { keys: 'Alt+ArrowRight', run: () => inGrid() && history.forward() },
  // A sign without Ctrl or Alt means something only where files have the focus.
  { keys: '?', run: () => inGrid() && openPrompt('help', {}) },
]
