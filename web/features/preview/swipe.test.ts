import { expect, test } from 'vitest'
import { swipeWay } from './swipe.ts'

test('a swipe to the left goes towards the start of a line, in Arabic to the right', () => {
  expect([swipeWay(-80, 10, false), swipeWay(80, 10, false)]).toEqual(['start', 'end'])
  expect([swipeWay(-80, 10, true), swipeWay(80, 10, true)]).toEqual(['end', 'start'])
})

test('a movement down is a swipe, one up or across is none', () => {
  expect([swipeWay(10, 80, false), swipeWay(10, -80, false), swipeWay(60, 60, false)]).toEqual([
    'down',
    undefined,
    undefined,
  ])
})
