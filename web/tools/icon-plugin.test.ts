import { describe, expect, it } from 'vitest'
import { pathOf } from './icon-plugin.ts'

describe('a shape of an icon', () => {
  it('keeps its place when it follows another one', () => {
    expect(pathOf(['path', { d: 'm4.93 4.93 1.41 1.41', key: 'a' }])).toBe('M4.93 4.93l1.41 1.41')
    expect(pathOf(['path', { d: 'm15-3.5 .5.5' }])).toBe('M15 -3.5l.5.5')
    expect(pathOf(['path', { d: 'M2 2 20 20' }])).toBe('M2 2L20 20')
    expect(pathOf(['path', { d: 'm2 12h2' }])).toBe('M2 12h2')
  })

  it('becomes a path, whatever its type', () => {
    expect(pathOf(['circle', { cx: '12', cy: '12', r: '4', key: 'a' }])).toBe('M8 12a4 4 0 1 1 8 0a4 4 0 1 1 -8 0z')
    expect(pathOf(['line', { x1: '1', y1: '2', x2: '3', y2: '4' }])).toBe('M1 2L3 4')
    expect(pathOf(['polyline', { points: '1 2 3 4' }])).toBe('M1 2L3 4')
    expect(pathOf(['rect', { x: '3', y: '4', width: '10', height: '8' }])).toBe('M3 4h10v8h-10v-8z')
    expect(pathOf(['rect', { x: '3', y: '4', width: '10', height: '8', rx: '1' }])).toBe(
      'M4 4h8a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-8a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1z',
    )
  })

  it('is refused where its rendering would differ', () => {
    expect(() => pathOf(['path', { d: 'M0 0', fill: 'currentColor' }])).toThrow(/filled/)
    expect(() => pathOf(['path', { d: 'M0 0', opacity: '.5' }])).toThrow(/unknown so far/)
    expect(() => pathOf(['text', {}])).toThrow(/unknown so far/)
  })
})
