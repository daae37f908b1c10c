// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { addBlocker, go, keepValue, keptValue, locationStore } from './history.ts'

const at = () => locationStore.get()

describe('navigation', () => {
  it('adds a history entry, or replaces the current one', async () => {
    const { index } = at()
    await go('/files/a/', false)
    expect(at()).toMatchObject({ pathname: '/files/a/', index: index + 1, arrival: 'push' })
    await go('/files/b/', true)
    expect(at()).toMatchObject({ pathname: '/files/b/', index: index + 1, arrival: 'replace' })
  })

  it('notifies every subscriber', async () => {
    const seen: string[] = []
    const stop = locationStore.subscribe(() => seen.push(at().pathname))
    await go('/files/c/', false)
    stop()
    await go('/files/d/', false)
    expect(seen).toEqual(['/files/c/'])
  })

  it('does not happen when a blocker refuses', async () => {
    await go('/files/draft', false)
    let answer = false
    const remove = addBlocker(async () => answer)
    expect(await go('/files/', false)).toBe(false)
    expect(at().pathname).toBe('/files/draft')
    answer = true
    expect(await go('/files/', false)).toBe(true)
    remove()
    answer = false
    expect(await go('/files/e/', false)).toBe(true)
  })
})

describe('a value stored with an entry', () => {
  it('belongs to that entry alone', async () => {
    await go('/files/long/', false)
    const { id } = at()
    keepValue(id, 'scroll', 1200)
    keepValue(id, 'focus', 'a.txt')
    await go('/files/other/', false)
    expect(keptValue(at().id, 'scroll')).toBeUndefined()
    expect(keptValue(id, 'scroll')).toBe(1200)
    expect(keptValue(id, 'focus')).toBe('a.txt')
  })

  it('is not kept when another page replaces the entry', async () => {
    await go('/files/x/', false)
    keepValue(at().id, 'scroll', 1)
    await go('/files/y/', true)
    expect(keptValue(at().id, 'scroll')).toBeUndefined()
  })
})
