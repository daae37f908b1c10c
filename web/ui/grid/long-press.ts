/** Duration of a long press in milliseconds. */
export const LONG_PRESS = 500
const SLOP = 10
const PULSE = 10

interface Touch {
  clientX: number
  clientY: number
  /** Milliseconds by event timestamps, which are right even if the page was busy. */
  timeStamp: number
}

/** Distinguishes a long press from a tap or a scroll. */
export class LongPress {
  #timer: ReturnType<typeof setTimeout> | undefined
  #start: Touch = { clientX: 0, clientY: 0, timeStamp: 0 }
  #act: (() => void) | undefined
  #down = false
  #fired = false

  begin(touch: Touch, act: () => void): void {
    this.end()
    this.#start = touch
    this.#down = true
    this.#fired = false
    this.#act = act
    this.#timer = setTimeout(() => this.#fire(), LONG_PRESS)
  }

  move({ clientX, clientY }: Touch): void {
    if (Math.hypot(clientX - this.#start.clientX, clientY - this.#start.clientY) > SLOP) this.#giveUp()
  }

  /** A long press selects, even when the page was too busy for the timer. */
  release({ timeStamp }: Touch): void {
    if (timeStamp - this.#start.timeStamp >= LONG_PRESS) this.#fire()
    this.end()
  }

  end(): void {
    this.#giveUp()
    this.#down = false
  }

  /** Whether the click that follows the press has already been handled. */
  swallowsClick(): boolean {
    const fired = this.#fired
    this.#fired = false
    return fired
  }

  /** Browsers also fire `contextmenu` for a long press; it means selection here. */
  swallowsMenu(): boolean {
    return this.#down || this.#fired
  }

  #fire(): void {
    const act = this.#act
    this.#giveUp()
    if (!act) return
    this.#fired = true
    navigator.vibrate?.(PULSE)
    act()
  }

  #giveUp(): void {
    clearTimeout(this.#timer)
    this.#act = undefined
  }
}
