import { afterEach, expect, test } from 'vitest'
import { resumePosition, storePlaybackPosition } from './playback-position.ts'

afterEach(() => sessionStorage.clear())

test('playback resumes at the last position', () => {
  storePlaybackPosition('/film.mp4', 61.5)
  expect(resumePosition('/film.mp4', 600)).toBe(61)
  expect(resumePosition('/other.mp4', 600)).toBe(0)
})

test('playback just begun or nearly over starts from the beginning', () => {
  storePlaybackPosition('/film.mp4', 3)
  expect(resumePosition('/film.mp4', 600)).toBe(0)
  storePlaybackPosition('/film.mp4', 598)
  expect(resumePosition('/film.mp4', 600)).toBe(0)
})
