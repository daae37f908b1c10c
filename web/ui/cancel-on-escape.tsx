import { useShortcuts } from '../lib/keyboard.ts'

/** Placeholder of a menu or dialog while its chunk loads: Esc cancels it. Renders nothing. */
export function CancelOnEscape({ onEscape }: { onEscape: () => void }) {
  useShortcuts('dialog', [{ keys: 'Escape', inText: true, run: onEscape }])
  return null
}
