import { type ReactNode, useEffect, useRef } from 'react'
import { locationStore } from '../../lib/history.ts'
import styles from './drawer.module.css'

/**
 * A panel that slides over the page from the inline start. A native modal dialog: it traps the focus, closes on Esc and
 * returns the focus.
 */
export function Drawer({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    // On the backdrop, or on a command: the keyboard uses Esc, which the dialog handles itself.
    const onClick = (event: Event) => {
      const { target } = event
      if (!(target instanceof Element) || !element.contains(target)) return
      if (target === element || target.closest('a, button:not([aria-haspopup])')) onClose()
    }
    // On the document, after the page's own handlers: a drawer closed earlier would unmount the command.
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [onClose])
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  useEffect(() => locationStore.subscribe(onClose), [onClose])
  return (
    <dialog ref={dialog} className={styles.drawer} aria-label={label} onClose={onClose}>
      {children}
    </dialog>
  )
}
