import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './button.module.css'

export type ButtonKind = 'primary' | 'plain' | 'danger' | 'quiet'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind
  /** Busy: keeps the focus, ignores clicks. */
  busy?: boolean
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function Button({ kind = 'plain', busy = false, icon, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={[styles.button, styles[kind], className].filter(Boolean).join(' ')}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? swallow : onClick}
    >
      {busy ? <span className={styles.busy} aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

/** A busy submit button must not submit again. */
function swallow(event: { preventDefault(): void }): void {
  event.preventDefault()
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'kind'> {
  /** Accessible name; also the tooltip. */
  label: string
  /** Key combination to show in the tooltip. */
  keys?: string
  /** Replaces the tooltip's text. */
  tip?: string
  children: ReactNode
}

/** A button with an icon only. */
export function IconButton({ label, keys, tip, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={[styles.iconButton, className].filter(Boolean).join(' ')}
      aria-label={label}
      data-tip={tip ?? (keys ? `${label} (${keys})` : label)}
    >
      {children}
    </button>
  )
}
