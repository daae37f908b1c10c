import { isTextField } from './keyboard.ts'

/** Frames in which what has loaded takes the focus. */
const FOCUS_WITHIN = 20

/**
 * Keeps keys from the page while what a key opened is loading, and types them into the field that has the focus then;
 * Enter submits it. Without a field they are dropped: they were not meant for what is below.
 * @returns to be called once it has loaded, or failed to
 */
export function holdKeys(): () => void {
  let text = ''
  let isWhole = false
  let isSent = false
  const hold = (event: KeyboardEvent) => {
    const { key, altKey, isComposing } = event
    const isCommand = event.ctrlKey || event.metaKey
    if (altKey || isComposing) return
    if (isCommand && key === 'a') isWhole = true
    else if (isCommand) return
    else if (key === 'Enter') isSent = true
    else if (key === 'Backspace') text = text.slice(0, -1)
    else if (key.length === 1) text += isSent ? '' : key
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const end = (frames: number) => {
    const field = document.activeElement
    const isHeld = isWhole || isSent || text !== ''
    if (isHeld && !isTextField(field) && frames > 0) return requestAnimationFrame(() => end(frames - 1))
    removeEventListener('keydown', hold, true)
    if (!isHeld || !(field instanceof HTMLInputElement)) return
    if (isWhole) field.select()
    if (text !== '') document.execCommand('insertText', false, text)
    if (isSent) field.form?.requestSubmit()
  }
  addEventListener('keydown', hold, true)
  return () => void end(FOCUS_WITHIN)
}
