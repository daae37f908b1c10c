/** Milliseconds a finger rests before it selects. */
export const LONG_PRESS = 500
const SLOP = 10
const PULSE = 10

interface Point {
  clientX: number
  clientY: number
}

/** Tells a finger that rests from one that taps or scrolls. */
export class LongPress {
  #timer: ReturnType<typeof setTimeout> | undefined
  #start: Point = { clientX: 0, clientY: 0 }
  #down = false
  #fired = false

  begin({ clientX, clientY }: Point, act: () => void): void {
    this.end()
    this.#start = { clientX, clientY }
    this.#down = true
    this.#fired = false
    this.#timer = setTimeout(() => {
      this.#fired = true
      navigator.vibrate?.(PULSE)
      act()
    }, LONG_PRESS)
  }

  move({ clientX, clientY }: Point): void {
    if (Math.hypot(clientX - this.#start.clientX, clientY - this.#start.clientY) > SLOP) clearTimeout(this.#timer)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#down = false
  }

  /** Whether the click that follows the press has already been acted on. */
  swallowsClick(): boolean {
    const fired = this.#fired
    this.#fired = false
    return fired
  }

  /** Browsers also report a resting finger as a wish for the menu; it means selection here. */
  swallowsMenu(): boolean {
    return this.#down || this.#fired
  }
}
