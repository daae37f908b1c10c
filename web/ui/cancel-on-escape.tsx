import { useShortcuts } from '../lib/keyboard.ts'

/** Stands where a menu or a dialog will be, as long as it is on its way: Esc calls it off. Shows nothing. */
export function CallOff({ onEscape }: { onEscape: () => void }) {
  useShortcuts('dialog', [{ keys: 'Escape', inText: true, run: onEscape }])
  return null
}
