import { type RefObject, useEffect } from 'react'
import { currentStep, setStep } from './steps.ts'

/** Growth of the distance between two fingers that makes images larger by a step. */
const PER_STEP = 1.35

const distanceOf = ({ touches: [one, other] }: TouchEvent): number | undefined =>
  one && other && Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)

/** Two fingers change the size of the images in an element. */
export function usePinch(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = area.current
    if (!element) return
    let start: { distance: number; step: number } | undefined
    const begin = (event: TouchEvent) => {
      const distance = event.touches.length === 2 ? distanceOf(event) : undefined
      start = distance === undefined ? undefined : { distance, step: currentStep() }
    }
    const move = (event: TouchEvent) => {
      const distance = distanceOf(event)
      if (!start || distance === undefined) return
      event.preventDefault()
      setStep(start.step + Math.round(Math.log(distance / start.distance) / Math.log(PER_STEP)))
    }
    const stop = new AbortController()
    const { signal } = stop
    element.addEventListener('touchstart', begin, { signal, passive: true })
    element.addEventListener('touchend', begin, { signal, passive: true })
    // Not passive: the page would be enlarged instead.
    element.addEventListener('touchmove', move, { signal, passive: false })
    return () => stop.abort()
  }, [area])
}
