import { newGesture } from '../files/api/gesture.ts'

/** Requests with the same id are one change (http-api 21), also those of a later attempt. */
let gesture = ''
let change: string | undefined

/** Begins another change: a new run of the queue. */
export function beginGesture(): void {
  gesture = newGesture()
  change = undefined
}

export const gestureHeaders = (): Record<string, string> => (gesture === '' ? {} : { 'X-Gesture': gesture })

/** Notes the change that a response names. */
export function noteChange(headers: Headers): void {
  change = headers.get('X-Change') ?? change
}

/** The id of the change that the run was recorded as. */
export const changeOfRun = (): string | undefined => change
