import { afterEach, expect, test } from 'vitest'
import { playedUntil, rememberPlayed } from './playback-position.ts'

afterEach(() => sessionStorage.clear())

test('a film goes on where it was left', () => {
  rememberPlayed('/film.mp4', 61.5)
  expect(playedUntil('/film.mp4', 600)).toBe(61)
  expect(playedUntil('/other.mp4', 600)).toBe(0)
})

test('a film that was just begun or is nearly over starts again', () => {
  rememberPlayed('/film.mp4', 3)
  expect(playedUntil('/film.mp4', 600)).toBe(0)
  rememberPlayed('/film.mp4', 598)
  expect(playedUntil('/film.mp4', 600)).toBe(0)
})
