import { Button, type ButtonProps } from './button.tsx'
import { ChevronDown } from './icons.ts'
import { MenuButton } from './menu-button.tsx'
import type { MenuEntry } from './menu-entry.ts'
import styles from './split-button.module.css'

export interface SplitButtonProps extends Omit<ButtonProps, 'className'> {
  /** Accessible name of the menu. */
  menuLabel: string
  /** Alternatives to the button's action. */
  entries: readonly MenuEntry[]
}

/** A button with a menu of alternatives. Each is a tab stop. */
export function SplitButton({ menuLabel, entries, kind = 'plain', disabled = false, ...button }: SplitButtonProps) {
  return (
    <div className={styles.split} data-kind={kind}>
      <Button {...button} kind={kind} disabled={disabled} className={styles.main} />
      <MenuButton
        label={menuLabel}
        entries={entries}
        disabled={disabled || entries.length === 0}
        className={styles.more}
      >
        <ChevronDown size={18} aria-hidden />
      </MenuButton>
    </div>
  )
}
