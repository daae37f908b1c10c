import { describe, expect, test } from 'vitest'
import { mountOf } from './mounts.ts'

describe('the mount point of a path', () => {
  const deep = (place: string, depth: number) => `${place}${'/folder'.repeat(depth)}`

  test.each([0, 1, 5, 500])('is the nearest one above it, %i folders up', depth => {
    expect(mountOf(deep('/proc', depth))).toBe('/proc')
    expect(mountOf(deep('/procession', depth))).toBe('/')
  })

  test('is / for / itself and for unknown names', () => {
    expect([mountOf('/'), mountOf('/no such/place')]).toEqual(['/', '/'])
  })
})
