import { expect, test } from 'vitest'
import { FITTED, nextInCycle, panBy, stageSizeOf, uprightSize, zoomAbout } from './zoom.ts'

const CENTRE = { x: 0, y: 0 }
const stage = stageSizeOf({ width: 800, height: 600 }, { width: 1600, height: 1200 })

test('a double click cycles through the scales 1, 2 and 4', () => {
  expect([1, 2, 4].map(nextInCycle)).toEqual([2, 4, 1])
  expect([0.5, 1.25, 6].map(nextInCycle)).toEqual([1, 2, 1])
})

test('an image is zoomed up to the sum of 4 and its natural scale, and down to a quarter', () => {
  expect(zoomAbout(FITTED, 100, CENTRE, stage).scale).toBe(6)
  expect(zoomAbout(FITTED, 0, CENTRE, stage).scale).toBe(0.25)
})

test('the point under the fingers stays under them', () => {
  const point = { x: 100, y: -50 }
  const near = zoomAbout(FITTED, 2, point, stage)
  expect(near).toEqual({ scale: 2, x: -100, y: 50 })
})

test('a large image cannot be panned out of its stage', () => {
  const near = zoomAbout(FITTED, 2, CENTRE, stage)
  expect(panBy(near, { x: 5000, y: -5000 }, stage)).toEqual({ scale: 2, x: 400, y: -300 })
})

test('an image that fits stays centred', () => {
  expect(panBy(FITTED, { x: 50, y: 50 }, stage)).toEqual(FITTED)
})

test('a small image keeps its size', () => {
  expect(stageSizeOf({ width: 800, height: 600 }, { width: 10, height: 20 }).fitted).toEqual({ width: 10, height: 20 })
})

test('the size of the file is turned like its preview, and ignored where it belongs to another image', () => {
  const stored = { width: 4000, height: 3000 }
  expect(uprightSize(stored, { width: 1080, height: 810 })).toEqual(stored)
  expect(uprightSize(stored, { width: 810, height: 1080 })).toEqual({ width: 3000, height: 4000 })
  expect(uprightSize(stored, { width: 1080, height: 400 })).toEqual({ width: 1080, height: 400 })
})
