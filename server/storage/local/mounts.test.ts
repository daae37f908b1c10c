import { describe, expect, test } from 'vitest'
import { mountOf } from './mounts.ts'

describe('the disk that a place is on', () => {
  const deep = (place: string, depth: number) => `${place}${'/folder'.repeat(depth)}`

  test.each([0, 1, 5, 500])('is the one mounted nearest above it, %i folders up', depth => {
    expect(mountOf(deep('/proc', depth))).toBe('/proc')
    expect(mountOf(deep('/procession', depth))).toBe('/')
  })

  test('is the top for the top itself, and for names that nothing is known of', () => {
    expect([mountOf('/'), mountOf('/no such/place')]).toEqual(['/', '/'])
  })
})
